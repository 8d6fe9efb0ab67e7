//! SHA-1, which RFC 9562 prescribes for ids that are derived from a key (version 5). It keeps no secret.
//!
//! Our own code, because the crate that `uuid` uses unrolls its loops. `make build` (core.wasm):
//!
//! | | core.wasm | with brotli |
//! |---|---|---|
//! | this module | 147,578 bytes | 55,401 |
//! | sha1_smol 1 | +2,722 bytes | +775 |
//!
//! The tests compare it with `uuid`.

const BLOCK: usize = 64;
const ROUNDS: usize = 80;

/// Returns the hash of some bytes.
pub(super) fn sha1(message: &[u8]) -> [u8; 20] {
    let mut padded = message.to_vec();
    padded.push(0x80);
    // The last block ends with the number of bits.
    padded.resize((padded.len() + 8).next_multiple_of(BLOCK) - 8, 0);
    padded.extend((message.len() as u64 * 8).to_be_bytes());

    let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    for block in padded.chunks(BLOCK) {
        let hashed = rounds(state, &schedule(block));
        state.iter_mut().zip(hashed).for_each(|(word, more)| *word = more.wrapping_add(*word));
    }
    let mut hash = [0; 20];
    let bytes = state.iter().flat_map(|word: &u32| word.to_be_bytes());
    hash.iter_mut().zip(bytes).for_each(|(to, byte)| *to = byte);
    hash
}

/// Returns the words of a block and those that are made of them.
fn schedule(block: &[u8]) -> [u32; ROUNDS] {
    let mut words = [0; ROUNDS];
    for (index, byte) in block.iter().enumerate() {
        words.iter_mut().skip(index / 4).take(1).for_each(|word| *word = *word << 8 | u32::from(*byte));
    }
    for index in BLOCK / 4..ROUNDS {
        let before = |distance: usize| words.get(index - distance).copied().unwrap_or_default();
        let next = (before(3) ^ before(8) ^ before(14) ^ before(16)).rotate_left(1);
        words.iter_mut().skip(index).take(1).for_each(|word| *word = next);
    }
    words
}

fn rounds([mut a, mut b, mut c, mut d, mut e]: [u32; 5], schedule: &[u32; ROUNDS]) -> [u32; 5] {
    for (round, scheduled) in schedule.iter().enumerate() {
        let (mixed, constant) = match round / 20 {
            0 => (b & c | !b & d, 0x5a82_7999),
            1 => (b ^ c ^ d, 0x6ed9_eba1),
            2 => (b & c | b & d | c & d, 0x8f1b_bcdc),
            _ => (b ^ c ^ d, 0xca62_c1d6),
        };
        let sum = [mixed, e, constant, *scheduled].into_iter().fold(a.rotate_left(5), u32::wrapping_add);
        (a, b, c, d, e) = (sum, a, b.rotate_left(30), c, d);
    }
    [a, b, c, d, e]
}
