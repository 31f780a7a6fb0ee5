//! Memory that ends at a wall: to touch what follows it ends the process.
#![allow(unsafe_code)]

use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr;
use std::slice;

const WALL: usize = 1 << 16;

/// Values right before a wall.
pub struct Walled<T> {
    start: *mut c_void,
    size: usize,
    len: usize,
    what: PhantomData<T>,
}

impl<T: Copy> Walled<T> {
    /// A copy of `values`.
    pub fn new(values: &[T]) -> Self {
        let size = size_of_val(values).next_multiple_of(WALL) + WALL;
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: new memory, where nothing else is; what is protected is its last part.
        let start = unsafe {
            let start = mmap_anonymous(ptr::null_mut(), size, access, MapFlags::PRIVATE).expect("memory");
            mprotect(start.byte_add(size - WALL), WALL, MprotectFlags::empty()).expect("a wall");
            start
        };
        let walled = Self { start, size, len: values.len(), what: PhantomData };
        // SAFETY: as many values are before the wall, at an address that is a multiple of their size, and so of their alignment.
        unsafe { walled.first().copy_from_nonoverlapping(values.as_ptr(), values.len()) };
        walled
    }

    fn first(&self) -> *mut T {
        self.start.wrapping_byte_add(self.size - WALL - self.len * size_of::<T>()).cast()
    }
}

impl<T: Copy> Deref for Walled<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: `new` has put as many values there.
        unsafe { slice::from_raw_parts(self.first(), self.len) }
    }
}

impl<T: Copy> DerefMut for Walled<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: `new` has put as many values there, and the borrow is of all of them.
        unsafe { slice::from_raw_parts_mut(self.first(), self.len) }
    }
}

impl<T> Drop for Walled<T> {
    fn drop(&mut self) {
        // SAFETY: the memory of `new`, which nobody borrows any more.
        unsafe { munmap(self.start, self.size).expect("it was mapped") }
    }
}
