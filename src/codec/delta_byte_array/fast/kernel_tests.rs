//! A kernel against the plain meaning of its functions, where steps of any width end at, before and behind the ends of
//! values, data and output. Through the encoder these ends are not all reached: its working memory has some room to spare.

use alloc::{format, vec, vec::Vec};

use super::super::super::Path;
use super::super::super::path::Kind;
use super::split::Kernel;

/// Checks a kernel of this kind, if the processor has it.
pub(super) fn check(kind: Kind, kernel: impl Kernel) {
    if Path::available().any(|path| path.kind() == kind) {
        prefixes_end_at_the_first_difference(kernel);
        copies_touch_nothing_else(kernel);
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
