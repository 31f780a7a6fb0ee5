//! A kernel against the plain meaning of its functions, where steps of any width end at, before and behind the ends of
//! values, data and output. Through the encoder these ends are not all reached: its working memory has some room to spare.

use alloc::{format, vec, vec::Vec};

use super::super::super::Path;
use super::super::super::path::Kind;
use super::portable::common_prefix;
use super::split::{BATCH, Kernel, Position};

/// Checks a kernel of this kind, if the processor has it.
pub(super) fn check(kind: Kind, kernel: impl Kernel) {
    if Path::available().any(|path| path.kind() == kind) {
        prefixes_end_at_the_first_difference(kernel);
        copies_touch_nothing_else(kernel);
        batches_are_split_as_values_are(kernel);
        ends_that_fall_are_no_batch(kernel);
    }
}

fn prefixes_end_at_the_first_difference(kernel: impl Kernel) {
    for most in (0_usize..140).chain([191, 192, 193, 255, 256, 257, 300, 1025]) {
        for equal in [0, most / 2, most.saturating_sub(1), most] {
            for behind in [0, 1, 31, 32, 33, 63, 64, 65, 300] {
                // Behind the second value the data goes on as it does behind the first.
                let mut data = vec![b'x'; 2 * most + behind];
                if equal < most {
                    data[most + equal] = b'y';
                }
                let context = format!("{equal} of {most}, {behind} behind");
                assert_eq!(kernel.prefix_at(&data, 0, most, most), equal, "{context}");
                assert_eq!(kernel.long_prefix_at(&data, 0, most, most), equal, "{context}");
                assert_eq!(kernel.prefix(&data[..most], &data[most..2 * most + behind]), equal, "{context}");
            }
        }
    }
}

fn copies_touch_nothing_else(kernel: impl Kernel) {
    for len in (0..140).chain([191, 192, 193, 300]) {
        for (at, room, behind) in [0, 1, 2, 70].into_iter().flat_map(|at| {
            [0, 1, 15, 16, 63, 64, 65]
                .into_iter()
                .flat_map(move |room| [0, 63, 64, 200].map(|behind| (at, room, behind)))
        }) {
            let data: Vec<u8> = (0..3 + len + behind).map(|index| index as u8 % 100).collect();
            let check = |copy: &dyn Fn(&mut [u8])| {
                let mut bytes = vec![0xA5; at + len + room + 80];
                let (out, others) = bytes.split_at_mut(at + len + room);
                copy(out);
                let context = format!("{len} bytes at {at}, {room} to spare, {behind} behind");
                assert!(out[at..at + len] == data[3..3 + len], "{context}");
                assert!(out[..at].iter().chain(&*others).all(|&byte| byte == 0xA5), "{context}: wrote beside it");
            };
            check(&|out| kernel.stage(&data, 3, 3 + len, out, at));
            check(&|out| kernel.copy(&data[3..3 + len], out, at));
        }
    }
}

/// A step of 64 bytes behind the data, and room for one, are enough for every kernel that has batches.
fn has_batches<K: Kernel>(_: K) -> bool {
    K::BATCHES
}

/// Values of up to `longest` bytes behind three other bytes. Some begin as the one before, if `alike`; the last one is as the
/// one before.
fn values(longest: usize, alike: bool) -> (Vec<u8>, [i32; BATCH]) {
    let mut data = b"pre".to_vec();
    let ends = core::array::from_fn(|index| {
        let index = index.min(BATCH - 2);
        let len = (index * 37 + longest) % (longest + 1);
        data.extend((0..len).map(|at| if alike && at < longest * (index % 4) / 3 { b'x' } else { index as u8 }));
        data.len() as i32 - 3
    });
    (data, ends)
}

fn batches_are_split_as_values_are(kernel: impl Kernel) {
    let lengths = (0..70).chain([127, 128, 129, 300]);
    for (longest, alike) in lengths.flat_map(|longest| [(longest, false), (longest, true)]) {
        let (values, ends) = values(longest, alike);
        let starts: Vec<usize> = [0].iter().chain(&ends).map(|&start| 3 + start as usize).collect();
        let each: Vec<&[u8]> = starts.windows(2).map(|pair| &values[pair[0]..pair[1]]).collect();
        let mut before = &values[1..3];
        let prefixes: Vec<usize> =
            each.iter().map(|&value| common_prefix(core::mem::replace(&mut before, value), value)).collect();
        let suffixes: Vec<u8> =
            each.iter().zip(&prefixes).flat_map(|(value, &prefix)| &value[prefix..]).copied().collect();
        let total = values.len() - 3;
        for (behind, room) in [0, 31, 32, 63, 64, 65].into_iter().flat_map(|x| [0, 32, 63, 64, 65].map(|y| (x, y))) {
            let context = format!("{longest} bytes, {behind} behind, {room} to spare");
            let data = [&values[..], &vec![b'x'; behind]].concat();
            let mut bytes = vec![0xA5; 7 + total + room + 80];
            let (staged, others) = bytes.split_at_mut(7 + total + room);
            let mut lengths = [[-1; BATCH]; 2];
            let [prefix_lens, suffix_lens] = &mut lengths;
            let position = Position { previous: 1, at: 3, bytes: 7 };
            let split = kernel.batch::<true>(&data, &ends, [prefix_lens, suffix_lens], staged, position);
            assert!(others.iter().chain(&staged[..7]).all(|&byte| byte == 0xA5), "{context}: wrote beside it");
            assert!(split.is_some() || behind < 64 || room < 64 || !has_batches(kernel), "{context}");
            let Some(end) = split else { continue };
            assert_eq!(lengths[0].map(|len| len as usize)[..], prefixes, "{context}");
            let sums = each.iter().zip(&prefixes).map(|(value, prefix)| value.len() - prefix);
            assert!(lengths[1].iter().map(|&len| len as usize).eq(sums), "{context}");
            assert_eq!(staged[7..end.bytes], suffixes, "{context}");
            assert_eq!((end.previous, end.at), (starts[BATCH - 1], starts[BATCH]), "{context}");
        }
    }
}

fn ends_that_fall_are_no_batch(kernel: impl Kernel) {
    for ends in [
        core::array::from_fn(|index| if index == 7 { 5 } else { index as i32 }),
        core::array::from_fn(|index| -(index as i32)),
        core::array::from_fn(|index| if index == 1 { -3 } else { 5 }),
        // Each difference, as 32 bits have it, is positive.
        core::array::from_fn(|index| [i32::MAX, i32::MIN, -1].get(index).copied().unwrap_or(5)),
    ] {
        let position = Position { previous: 0, at: 10, bytes: 0 };
        let mut lengths = [[0; BATCH]; 2];
        let [prefixes, suffixes] = &mut lengths;
        let split = kernel.batch::<true>(&[0; 500], &ends, [prefixes, suffixes], &mut [0; 500], position);
        assert!(split.is_none(), "{ends:?}");
    }
}
