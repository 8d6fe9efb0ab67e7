//! A region of memory that JavaScript and the core share, so that judging a plain order allocates nothing and passes only
//! integers (see `src/plain.rs` of the core).
//!
//! JavaScript asks for the address once, writes a part of a body into the region, calls [`judge_part`], and reads the
//! numbers. They are valid until the next call. The layout is also in `pkg-template/src/plain/exchange.ts`.

use std::cell::RefCell;

use sales_order_intake::Rounding;
use sales_order_intake::internals::{Judge, MAX_LINES, MAX_RECORDS, MAX_TAXES, PlainTotals, Progress};

/// Subtotal, total, lowest and highest total, tax, total of the first line; the subtotals rounded half up, half even and
/// half down, and the number of ties; each supplied tax; and the remarks on each record that has some.
const NUMBERS: usize = 10 + MAX_TAXES + MAX_RECORDS;
/// The bytes of one part of a body.
const TEXT: usize = 1 << 16;

/// The shared region. Amounts are whole numbers below 2^52, so they are exact as `f64`.
#[repr(C)]
struct Exchange {
    numbers: [f64; NUMBERS],
    /// The extended prices of the lines of the last part.
    lines: [f64; MAX_LINES],
    text: [u8; TEXT],
    judge: Judge,
}

thread_local! {
    static EXCHANGE: RefCell<Exchange> = const {
        RefCell::new(Exchange { numbers: [0.0; NUMBERS], lines: [0.0; MAX_LINES], text: [0; TEXT], judge: Judge::new() })
    };
}

/// The bit of a setting that says that terms come before the body.
const WITH_TERMS: u32 = 64;

/// The setting of a response, which has no others.
const RESPONSE: u32 = 128;

/// The order is not plain.
const NOT_PLAIN: u32 = 0;
/// Plain so far; more parts follow.
const PARTIAL: u32 = 1;
/// The order is plain; the other bits say what it has.
const PLAIN: u32 = 2;
const HAS_ID: u32 = 4;
const HAS_CUSTOMER: u32 = 8;
const HAS_TAXES: u32 = 16;
/// Taxes is null and not absent: the position of its issue differs.
const HAS_NULL_TAXES: u32 = 32;
/// A line has no price, so the subtotal is unknown.
const IS_UNPRICED: u32 = 64;
/// The number of records with remarks, times this.
const REMARKS: u32 = 256;

/// Returns the address of the region.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen::prelude::wasm_bindgen)]
#[must_use]
pub fn exchange() -> usize {
    EXCHANGE.with(|exchange| exchange.as_ptr().expose_provenance())
}

/// Judges the part of a body in the region; `setting` is 0 for a later part, otherwise 1 + scale + 8 × the index of the
/// rounding mode, and 64 more if terms come before the body; 1 + 128 for a response.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen::prelude::wasm_bindgen)]
#[must_use]
pub fn judge_part(length: usize, pairs: u32, setting: u32) -> u32 {
    EXCHANGE
        .with(|exchange| {
            let mut exchange = exchange.try_borrow_mut().ok()?;
            judge(&mut exchange, length, pairs, setting)
        })
        .unwrap_or(NOT_PLAIN)
}

fn judge(exchange: &mut Exchange, length: usize, pairs: u32, setting: u32) -> Option<u32> {
    let Exchange { numbers, lines, text, judge } = exchange;
    let part = text.get(..length)?;
    let progress = match setting.checked_sub(1) {
        None => judge.next_part(part, pairs)?,
        Some(RESPONSE) => judge.response(part)?,
        Some(setting) => {
            let rounding = Rounding::ALL.get(setting as usize / 8 % 8)?;
            if setting < WITH_TERMS {
                judge.first_part(part, pairs, setting % 8, *rounding)?
            } else {
                judge.rest(part, pairs, setting % 8, *rounding)?
            }
        }
    };
    lines.iter_mut().zip(&judge.lines).for_each(|(number, price)| *number = as_f64(*price));
    if progress == Progress::Partial {
        return Some(PARTIAL);
    }
    let PlainTotals { subtotal, total, min, max, tax, first_line, sums, taxes, .. } = &judge.totals;
    let amounts = [subtotal, total, min, max, tax, first_line].into_iter().chain(sums).chain(taxes);
    let remarks = judge.remarks.as_slice();
    let count = u32::try_from(remarks.len()).ok()?;
    let values = amounts.copied().chain(remarks.iter().map(|remarks| u64::from(*remarks)));
    numbers.iter_mut().zip(values).for_each(|(number, value)| *number = as_f64(value));
    let has = |is_present: bool, flag: u32| if is_present { flag } else { 0 };
    let PlainTotals { has_id, has_customer, has_taxes, has_null_taxes, is_unpriced, .. } = judge.totals;
    Some(
        PLAIN
            | has(has_id, HAS_ID)
            | has(has_customer, HAS_CUSTOMER)
            | has(has_taxes, HAS_TAXES)
            | has(has_null_taxes, HAS_NULL_TAXES)
            | has(is_unpriced, IS_UNPRICED)
            | (REMARKS * count),
    )
}

#[expect(clippy::cast_precision_loss, reason = "amounts are below 2^52")]
fn as_f64(amount: u64) -> f64 {
    amount as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const CART: &str = concat!(
        r#"{"CompanyId":1,"EntityId":2,"CustomerId":"2a8f5d33-eec9-4864-8b49-5636577b40d5","#,
        r#""IntegratorId":"7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50","Items":["#,
        r#"{"Name":"Tea","CatalogItemId":"0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff","Quantity":0.5,"SellAtPricePerUnit":0.01}"#,
    );
    const TAXES: &str = r#","Taxes":[{"TaxId":"0b9f7c1e-2d3a-4b5c-8d6e-7f8091a2b3c4","TaxAmount":3.5}]}"#;
    const PAIRS: u32 = u32::MAX;
    const HALF_UP: u32 = 1 + 2;

    fn judged(part: &str, setting: u32) -> u32 {
        EXCHANGE.with_borrow_mut(|exchange| exchange.text[..part.len()].copy_from_slice(part.as_bytes()));
        judge_part(part.len(), PAIRS, setting)
    }

    fn numbers() -> [f64; 11] {
        EXCHANGE.with_borrow(|exchange| *exchange.numbers.first_chunk().unwrap())
    }

    #[test]
    fn the_result_says_what_the_order_has_and_the_region_has_its_amounts() {
        let order = CART.replacen('{', "{\"Id\":\"2a8f5d33-eec9-4864-8b49-5636577b40d5\",", 1);
        assert_eq!(judged(&format!("{order}]{TAXES}"), HALF_UP), PLAIN | HAS_ID | HAS_CUSTOMER | HAS_TAXES);
        assert_eq!(numbers(), [1.0, 351.0, 350.0, 351.0, 350.0, 351.0, 1.0, 0.0, 0.0, 1.0, 350.0]);
        assert_eq!(judged(&format!("{CART}]}}"), HALF_UP), PLAIN | HAS_CUSTOMER);
        assert_eq!(judged("{}", HALF_UP), NOT_PLAIN);
    }

    #[test]
    fn the_remarks_follow_the_taxes() {
        let order = CART.replace("0.01", "\"free\"").replace("0.5", "-0.5").replace("CustomerId", "LastName");
        let result = judged(&format!("{order}]{TAXES}"), HALF_UP);
        assert_eq!(result, PLAIN | HAS_TAXES | IS_UNPRICED | REMARKS);
        let first = EXCHANGE.with_borrow(|exchange| exchange.numbers[10 + MAX_TAXES]);
        assert_eq!(first, f64::from((1 << 15) + (1 << 6) + (1 << 7)));
    }

    #[test]
    fn the_setting_of_the_first_part_holds_for_all() {
        for (rounding, subtotal) in [(0, 2.0), (1, 0.0), (2, 0.0)] {
            assert_eq!(judged(CART, 1 + 2 + 8 * rounding), PARTIAL);
            let (_, item) = CART.split_once("[").unwrap();
            assert_eq!(judged(&format!(",{item}]}}"), 0), PLAIN | HAS_CUSTOMER);
            assert_eq!(numbers().first(), Some(&subtotal));
        }
        assert_eq!(judged(CART, 1 + 2 + 8 * 3), NOT_PLAIN);
    }

    #[test]
    fn terms_before_a_body_replace_its_prices() {
        let rest = format!("+15 14 13 2 0 0\n-5 4 4 1 0 0\n{CART}]}}");
        assert_eq!(judged(&rest, HALF_UP + WITH_TERMS), PLAIN | HAS_CUSTOMER);
        assert_eq!(numbers(), [10.0, 10.0, 9.0, 10.0, 0.0, 1.0, 10.0, 10.0, 9.0, 1.0, 0.0]);
        assert_eq!(judged(&rest, HALF_UP), NOT_PLAIN);
        assert_eq!(judged(&format!("{CART}]}}"), HALF_UP), PLAIN | HAS_CUSTOMER);
        assert_eq!(numbers().first(), Some(&1.0));
    }

    #[test]
    fn read_only_members_are_plain_only_in_a_response() {
        let order = CART.replacen("2,", "2,\"WasCreatedWithInventoryHold\":true,", 1);
        assert_eq!(judged(&format!("{order}]}}"), 1 + RESPONSE), PLAIN | HAS_CUSTOMER);
        assert_eq!(judged(&format!("{order}]}}"), HALF_UP), NOT_PLAIN);
    }

    #[test]
    fn a_length_beyond_the_region_is_refused() {
        assert_eq!(judge_part(TEXT + 1, PAIRS, HALF_UP), NOT_PLAIN);
    }

    #[test]
    fn the_address_is_that_of_the_numbers() {
        let numbers = EXCHANGE.with_borrow(|exchange| exchange.numbers.as_ptr().addr());
        assert_eq!(exchange(), numbers);
    }

    #[test]
    fn typescript_has_the_same_layout() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../pkg-template/src/plain/exchange.ts");
        let typescript = std::fs::read_to_string(file).unwrap();
        for (name, value) in [
            ("NUMBERS", NUMBERS),
            ("LINES", MAX_LINES),
            ("TEXT", TEXT),
            ("WITH_TERMS", WITH_TERMS as usize),
            ("RESPONSE", 1 + RESPONSE as usize),
        ] {
            assert!(typescript.contains(&format!("const {name} = {value};")), "{name}");
        }
        let flags = [
            ("PARTIAL", PARTIAL),
            ("HAS_ID", HAS_ID),
            ("HAS_CUSTOMER", HAS_CUSTOMER),
            ("HAS_TAXES", HAS_TAXES),
            ("IS_UNPRICED", IS_UNPRICED),
            ("REMARKS", REMARKS),
        ];
        for (name, value) in flags {
            assert!(typescript.contains(&format!("const {name} = {value};")), "{name}");
        }
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../pkg-template/src/plain/remarks.ts");
        let typescript = std::fs::read_to_string(file).unwrap();
        for (name, value) in [("FIRST", 10 + MAX_TAXES), ("BITS", 15)] {
            assert!(typescript.contains(&format!("const {name} = {value};")), "{name}");
        }
    }
}
