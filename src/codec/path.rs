//! Which instructions a fast twin may use: the one place where that is decided.
//!
//! A [`Path`] is a proof: a value other than [`Path::PORTABLE`] exists only when the processor that runs this has every
//! feature that the path's kernels are compiled with. Kernels discharge their `unsafe` with it, and tests run every
//! path of [`Path::available`] in turn.

/// A set of instructions that this processor is known to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path(Kind);

/// The kinds of [`Path`], for a `match` in a fast twin's dispatcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Safe code, compiled for the crate's target.
    Portable,
    /// x86-64 with AVX2, BMI1, BMI2, LZCNT, MOVBE and POPCNT.
    Avx2,
    /// All of AVX2's, and AVX-512 F, BW, CD, DQ, VL, VBMI and VBMI2.
    Avx512,
}

impl Path {
    /// Safe code; every machine has it.
    pub const PORTABLE: Self = Self(Kind::Portable);

    /// The AVX2 path, where the processor has it.
    pub fn avx2() -> Option<Self> {
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        if std::is_x86_feature_detected!("avx2")
            && std::is_x86_feature_detected!("bmi1")
            && std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("lzcnt")
            && std::is_x86_feature_detected!("movbe")
            && std::is_x86_feature_detected!("popcnt")
        {
            return Some(Self(Kind::Avx2));
        }
        None
    }

    /// The AVX-512 path, where the processor has it.
    pub fn avx512() -> Option<Self> {
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        if Self::avx2().is_some()
            && std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512bw")
            && std::is_x86_feature_detected!("avx512cd")
            && std::is_x86_feature_detected!("avx512dq")
            && std::is_x86_feature_detected!("avx512vl")
            && std::is_x86_feature_detected!("avx512vbmi")
            && std::is_x86_feature_detected!("avx512vbmi2")
        {
            return Some(Self(Kind::Avx512));
        }
        None
    }

    /// The widest path of this machine; what the fast twins take when no path is named.
    pub fn best() -> Self {
        Self::avx512().or_else(Self::avx2).unwrap_or(Self::PORTABLE)
    }

    /// Every path of this machine, narrowest first.
    pub fn available() -> impl Iterator<Item = Self> {
        [Some(Self::PORTABLE), Self::avx2(), Self::avx512()].into_iter().flatten()
    }

    /// What kind of path this is.
    pub fn kind(self) -> Kind {
        self.0
    }

    /// `portable`, `avx2` or `avx512`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable => "portable",
            Kind::Avx2 => "avx2",
            Kind::Avx512 => "avx512",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_available_paths_start_with_the_portable_one_and_end_with_the_best() {
        let all: alloc::vec::Vec<_> = Path::available().collect();
        assert_eq!(all.first(), Some(&Path::PORTABLE));
        assert_eq!(all.last(), Some(&Path::best()));
    }
}
