//! The memory that JavaScript and a module share, as `docs/contributing/boundary.md` specifies it. The module of the reference
//! service (`service/wasm`) has the same.
#![expect(unsafe_code, reason = "the inputs are what the host says")]

use std::cell::Cell;

use wasm_bindgen::prelude::wasm_bindgen;

/// The length that means that there is no third input.
const NONE: u32 = u32::MAX;
/// Returned if no function has the number, or if the inputs are longer than the area.
const FAILED: u32 = u32::MAX;

// Taken and put back: a `RefCell` would add the formatting code of its panics.
thread_local! {
    static INPUT: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
    static RESPONSE: Cell<String> = const { Cell::new(String::new()) };
}

/// Returns the address of the input area. It has room for `size` bytes, and remains valid until a call of this function asks
/// for more than it has.
#[wasm_bindgen]
pub fn input(size: usize) -> *mut u8 {
    let mut input = INPUT.take();
    if input.len() < size {
        // Releases the old area first.
        drop(input);
        input = vec![0; size];
    }
    let address = input.as_mut_ptr();
    INPUT.set(input);
    address
}

/// Calls a function with the inputs that are in the input area, one after the other, and returns the length of the response.
#[wasm_bindgen]
pub fn call(function: u32, first: usize, second: usize, third: u32) -> u32 {
    let input = INPUT.take();
    let response = respond(function, &input, [first, second], third);
    INPUT.set(input);
    let Some(response) = response else { return FAILED };
    let length = u32::try_from(response.len()).unwrap_or(FAILED);
    RESPONSE.set(response);
    length
}

fn respond(function: u32, input: &[u8], lengths: [usize; 2], third: u32) -> Option<String> {
    let [first, second] = lengths;
    let (first, rest) = input.split_at_checked(first)?;
    let (second, rest) = rest.split_at_checked(second)?;
    let third = if third == NONE { None } else { Some(rest.get(..third as usize)?) };
    // SAFETY: the host writes whole texts with TextEncoder, which makes UTF-8 of any string (docs/contributing/boundary.md).
    unsafe { crate::call(function, Input::of(first), Input::of(second), third.map(|bytes| Input::of(bytes))) }
}

/// A type of input: a text, or bytes, such as the third input of the reference service.
trait Input {
    /// Returns the bytes as an input.
    ///
    /// # Safety
    /// The bytes must be UTF-8 if the input is a text.
    unsafe fn of(bytes: &[u8]) -> &Self;
}

impl Input for str {
    unsafe fn of(bytes: &[u8]) -> &Self {
        // SAFETY: the caller guarantees it.
        unsafe { str::from_utf8_unchecked(bytes) }
    }
}

impl Input for [u8] {
    unsafe fn of(bytes: &[u8]) -> &Self {
        bytes
    }
}

/// Returns the address of the response, which is valid until the next call.
#[wasm_bindgen]
pub fn response() -> *const u8 {
    let response = RESPONSE.take();
    let address = response.as_ptr();
    RESPONSE.set(response);
    address
}
