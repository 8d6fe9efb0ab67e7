//! Decimals as people write them: `1.299,50` (D55).

use rust_decimal::Decimal;

use super::parse::read_decimal;

/// How the decimals of a language are written.
///
/// ```
/// use sales_order_intake::{DecimalNotation, parse_decimal};
///
/// let german = DecimalNotation::new(',', Some('.')).ok_or("not a notation")?;
/// assert_eq!(german.read("1.299,50"), Some(parse_decimal("1299.50")?));
/// assert_eq!(german.read("1.5"), None); // neither 1.5 nor 15
/// assert_eq!(DecimalNotation::default().read("1,5"), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecimalNotation {
    decimal: char,
    thousands: Option<char>,
}

impl Default for DecimalNotation {
    /// Returns the notation with a decimal point, and nothing between thousands.
    fn default() -> Self {
        Self { decimal: '.', thousands: None }
    }
}

impl DecimalNotation {
    /// Returns the notation with a decimal sign, and the character between groups of three digits if there is one. Returns `None`
    /// if the sign is not a point or a comma, or if the character is the same, a digit, a sign or the letter of an exponent.
    #[must_use]
    pub fn new(decimal: char, thousands: Option<char>) -> Option<Self> {
        let thousands = thousands.map(without_variants);
        let is_other = thousands.is_none_or(|thousands| {
            thousands != decimal && !matches!(thousands, '0'..='9' | '+' | '-' | 'e' | 'E')
        });
        (matches!(decimal, '.' | ',') && is_other).then_some(Self { decimal, thousands })
    }

    /// Reads a decimal, with or without spaces around it. Returns `None` if the text is not one in this notation: a separator is never
    /// taken for the other, and one between thousands has three digits after it. Returns `None`, too, if the number has an exponent,
    /// or more digits than a decimal can hold.
    ///
    /// A space between thousands can also be a no-break space, and an apostrophe a typographic one.
    #[must_use]
    pub fn read(&self, text: &str) -> Option<Decimal> {
        let mut plain = String::with_capacity(text.len());
        let mut is_fraction = false;
        let mut is_grouped = false;
        // Since the last separator.
        let mut digits = 0;
        for character in text.trim().chars() {
            let is_thousands = Some(without_variants(character)) == self.thousands;
            if !is_fraction && (is_thousands || character == self.decimal) {
                let is_group =
                    if is_grouped { digits == 3 } else { !is_thousands || matches!(digits, 1..=3) };
                if !is_group {
                    return None;
                }
                digits = 0;
                is_grouped |= is_thousands;
                if character == self.decimal {
                    is_fraction = true;
                    plain.push('.');
                }
            } else if matches!(character, '.' | 'e' | 'E') {
                // A person types no exponent; a spreadsheet that writes one has dropped digits.
                return None;
            } else {
                digits += usize::from(character.is_ascii_digit());
                plain.push(character);
            }
        }
        if is_grouped && !is_fraction && digits != 3 {
            return None;
        }
        read_decimal(&plain).ok()
    }
}

/// Replaces the variants that `Intl.NumberFormat` and spreadsheets write with the plain character.
fn without_variants(character: char) -> char {
    match character {
        '\u{a0}' | '\u{202f}' => ' ',
        '\u{2019}' => '\'',
        other => other,
    }
}
