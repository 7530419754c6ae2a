//! The generator behind `Math.random`: xoshiro256++, its state in the slot header.
//!
//! Invariant 5: it is seeded from the operating system at every start, so no two cells share a sequence.

/// State of the generator. All zero is no valid state; [`reseed`](Self::reseed) makes one.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Xoshiro([u64; 4]);

impl Xoshiro {
    pub(crate) const ZERO: Xoshiro = Xoshiro([0; 4]);

    pub(crate) fn from_seed(seed: [u64; 4]) -> Xoshiro {
        if seed == [0; 4] { Xoshiro([0x9e37_79b9_7f4a_7c15; 4]) } else { Xoshiro(seed) }
    }

    /// A generator that nobody else has. `None` if the system gives no randomness.
    pub(crate) fn from_system() -> Option<Xoshiro> {
        let mut bytes = [0u8; 32];
        getrandom::fill(&mut bytes).ok()?;
        let mut seed = [0u64; 4];
        for (word, chunk) in seed.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = chunk.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
        }
        Some(Xoshiro::from_seed(seed))
    }

    pub(crate) fn next_u64(&mut self) -> u64 {
        let s = &mut self.0;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// Uniform in `[0, 1)`, 53 bits.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit a double exactly")]
    pub(crate) fn next_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_outputs_are_those_of_the_reference() {
        let mut rng = Xoshiro::from_seed([1, 2, 3, 4]);
        assert_eq!(rng.next_u64(), 41_943_041);
        assert_eq!(rng.next_u64(), 58_720_359);
        assert_eq!(rng.next_u64(), 3_588_806_011_781_223);
    }

    #[test]
    fn doubles_stay_below_one() {
        let mut rng = Xoshiro::from_seed([u64::MAX; 4]);
        assert!((0..10_000).all(|_| (0.0..1.0).contains(&rng.next_f64())));
    }
}
