//! One item, and the remarks on it.

use crate::check::{PRICE_DIGITS, QUANTITY_DIGITS};
use crate::order::item;

use super::amounts::Digits;
use super::body::{Body, MAX_BYTES, Number, max_bytes};
use super::remarks::*;

/// What the judge knows about an item.
pub(super) struct Item {
    /// Quantity and unit price; `None` if one is missing or breaks a rule.
    pub(super) priced: Option<(Digits, Digits)>,
    pub(super) remarks: Remarks,
}

/// The remarks on a decimal of an item.
struct DecimalRules {
    not_a_decimal: Remarks,
    negative: Remarks,
    zero: Remarks,
    fraction_digits: Remarks,
    max_fraction_digits: u32,
}

/// A quantity of 0 is an error (D6).
const QUANTITY: DecimalRules = DecimalRules {
    not_a_decimal: QUANTITY_NOT_A_DECIMAL,
    negative: QUANTITY_NOT_POSITIVE,
    zero: QUANTITY_NOT_POSITIVE,
    fraction_digits: QUANTITY_FRACTION_DIGITS,
    max_fraction_digits: QUANTITY_DIGITS,
};

/// A price of 0 is only a warning (D7).
const PRICE: DecimalRules = DecimalRules {
    not_a_decimal: PRICE_NOT_A_DECIMAL,
    negative: PRICE_NEGATIVE,
    zero: PRICE_ZERO,
    fraction_digits: PRICE_FRACTION_DIGITS,
    max_fraction_digits: PRICE_DIGITS,
};

/// The remarks that leave an item without a price.
const UNPRICED: Remarks = QUANTITY_NOT_A_DECIMAL
    | QUANTITY_NOT_POSITIVE
    | QUANTITY_ABSENT
    | PRICE_NOT_A_DECIMAL
    | PRICE_NEGATIVE
    | PRICE_ABSENT;

impl Item {
    /// Reads an item; returns `None` if the general path has to.
    #[inline(never)]
    pub(super) fn read(body: &mut Body<'_>) -> Option<Self> {
        let mut remarks = 0;
        let has_name = body.has_key(b"{\"Name\":\"");
        if has_name {
            body.string(max_bytes(&item::NAME))?;
        } else {
            remarks |= NAME_ABSENT;
        }
        if body.has_key(b",\"CatalogItemId\":\"") || !has_name && body.has_rare_key(b"{\"CatalogItemId\":\"")
        {
            if !body.is_guid()? {
                remarks |= CATALOG_ITEM_NOT_A_GUID;
            }
        } else if has_name {
            remarks |= CATALOG_ITEM_ABSENT;
        } else {
            return None;
        }
        let quantity = if body.has_key(b",\"Quantity\":") {
            QUANTITY.read(body, &mut remarks)?
        } else {
            remarks |= QUANTITY_ABSENT;
            Digits::ZERO
        };
        let price = if body.has_key(b",\"SellAtPricePerUnit\":") {
            PRICE.read(body, &mut remarks)?
        } else {
            remarks |= PRICE_ABSENT;
            Digits::ZERO
        };
        if body.has_key(b",\"PackageId\":\"") {
            body.string(MAX_BYTES)?;
        }
        if body.has_key(b",\"Batch\":\"") {
            body.string(MAX_BYTES)?;
        }
        if body.byte()? != b'}' {
            return None;
        }
        Some(Self { priced: (remarks & UNPRICED == 0).then_some((quantity, price)), remarks })
    }
}

impl DecimalRules {
    /// Reads a decimal; adds the remarks on it.
    #[inline(never)]
    fn read(&self, body: &mut Body<'_>, remarks: &mut Remarks) -> Option<Digits> {
        let (digits, remark) = match body.number()? {
            Number::Unsigned(digits) if digits.units == 0 => (digits, self.zero),
            Number::Unsigned(digits) => (digits, 0),
            Number::Negative(digits) => (digits, self.negative),
            Number::Word => (Digits::ZERO, self.not_a_decimal),
        };
        *remarks |= remark;
        if digits.scale > self.max_fraction_digits {
            *remarks |= self.fraction_digits;
        }
        Some(digits)
    }
}
