//! Whether a table has a name twice, without comparing every name with every other: where names are read, whatever they
//! are; where they are written, as long as nobody chose them to collide.

use alloc::vec::Vec;

use super::super::Entry;

/// Up to this many names are compared one by one.
const FEW: usize = 16;

/// The first entry whose name an earlier one has. Allocates nothing: names are looked up in a hash table on the stack
/// that holds 512 of them at a time, so that n names take n / 512 walks.
pub(super) fn first_duplicate(entries: &[Entry]) -> Option<usize> {
    if entries.len() <= FEW {
        return (1..entries.len()).find(|&i| entries[..i].iter().any(|earlier| earlier.name == entries[i].name));
    }
    let mut first = None;
    let mut start = 0;
    while start < first.unwrap_or(entries.len()) {
        let mut block = Block::new(&entries[start..]);
        for (i, entry) in entries.iter().enumerate().take(first.unwrap_or(entries.len())).skip(start) {
            if block.has(i - start, &entry.name) {
                first = Some(i);
                break;
            }
        }
        start += Block::LEN;
    }
    first
}

/// The first [`Block::LEN`] of `entries`, by the hashes of their names.
struct Block<'a> {
    entries: &'a [Entry<'a>],
    /// 1 + the index of an entry, or 0; linear probing.
    slots: [u16; Block::SLOTS],
}

impl<'a> Block<'a> {
    const LEN: usize = 512;
    const SLOTS: usize = 1024;

    fn new(entries: &'a [Entry<'a>]) -> Self {
        Self { entries, slots: [0; Self::SLOTS] }
    }

    /// Whether entry `index` has the name of an earlier one of the block; adds it while the block has room.
    fn has(&mut self, index: usize, name: &[u8]) -> bool {
        let mut slot = hash(name) % Self::SLOTS;
        while self.slots[slot] != 0 {
            if *self.entries[usize::from(self.slots[slot]) - 1].name == *name {
                return true;
            }
            slot = (slot + 1) % Self::SLOTS;
        }
        if index < Self::LEN {
            self.slots[slot] = index as u16 + 1;
        }
        false
    }
}

/// FNV-1a.
fn hash(name: &[u8]) -> usize {
    let hash = name.iter().fold(0x811c_9dc5_u32, |hash, &octet| (hash ^ u32::from(octet)).wrapping_mul(0x0100_0193));
    (hash ^ hash >> 15) as usize
}

/// The names of a table that is being read, by where they lie behind its start.
pub(super) struct Seen {
    few: [u32; FEW],
    count: usize,
    many: Vec<u32>,
}

impl Seen {
    pub(super) fn new() -> Self {
        Self { few: [0; FEW], count: 0, many: Vec::new() }
    }

    /// Adds the name whose length octet lies at `offset` of `table`. True where it is known at once to be a duplicate;
    /// beyond [`FEW`] names only [`Self::first_duplicate`] knows.
    #[inline]
    pub(super) fn add(&mut self, table: &[u8], offset: usize) -> bool {
        if self.count < FEW {
            let name = name_at(table, offset);
            if self.few[..self.count].iter().any(|&earlier| name_at(table, earlier as usize) == name) {
                return true;
            }
            self.few[self.count] = offset as u32;
            self.count += 1;
        } else {
            if self.many.is_empty() {
                self.many.extend(self.few);
            }
            self.many.push(offset as u32);
        }
        false
    }

    /// Where the first name lies that an earlier one equals. Sorts: n log n steps, whatever the names are.
    pub(super) fn first_duplicate(mut self, table: &[u8]) -> Option<usize> {
        self.many.sort_unstable_by_key(|&offset| (name_at(table, offset as usize), offset));
        let duplicates = self.many.windows(2).filter(|pair| {
            let [a, b] = **pair else { return false };
            name_at(table, a as usize) == name_at(table, b as usize)
        });
        duplicates.map(|pair| pair[1] as usize).min()
    }
}

fn name_at(table: &[u8], offset: usize) -> &[u8] {
    &table[offset + 1..][..usize::from(table[offset])]
}
