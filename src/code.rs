//! The closed set of issue codes, each with its severity and its words.
//!
#![doc = include_str!("issue-codes.md")]

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use self::Severity::{Error, Notice, Warning};

/// How much an issue weighs. Only an error blocks the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Blocks the request.
    Error,
    /// Is sent, but probably not meant.
    Warning,
    /// Worth telling the user.
    Notice,
}

impl Severity {
    /// The name used in results: `error`, `warning` or `notice`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Error => "error",
            Warning => "warning",
            Notice => "notice",
        }
    }
}

macro_rules! codes {
    ($($variant:ident $name:literal $severity:ident $says:literal $($hint:literal)?;)*) => {
        /// What an [`Issue`](crate::Issue) is about; the table is in the documentation of [this module](crate::code).
        ///
        /// Serialized and printed as the name in the table, such as `items_empty`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum IssueCode {
            $(#[doc = concat!("`", $name, "`: the member ", $says, ".")] $variant,)*
        }

        impl IssueCode {
            /// Every code, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name that never changes, in snake case.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// How much an issue with this code weighs. [`IssueCode::MoreIssues`] weighs what the worst of them does.
            #[must_use]
            pub fn severity(self) -> Severity {
                match self { $(Self::$variant => $severity,)* }
            }

            /// What is said of the member.
            pub(crate) fn says(self) -> &'static str {
                match self { $(Self::$variant => $says,)* }
            }

            /// What to do about it, where that is always the same.
            pub(crate) fn hint(self) -> Option<&'static str> {
                match self { $($(Self::$variant => Some($hint),)?)* _ => None }
            }
        }
    };
}

codes! {
    NotJson "not_json" Error "is not JSON text";
    TooLarge "too_large" Error "is longer than 33,554,432 bytes" "split it into several orders";
    TooManyEntries "too_many_entries" Error "has more than 100,000 entries" "split it into several orders";
    TooManyMembers "too_many_members" Error "has more than 200 members that an order does not have";
    TooDeep "too_deep" Error "is nested more than 64 levels deep, or refers to itself";
    MoreIssues "more_issues" Error "has more issues than are listed";
    NotAnObject "not_an_object" Error "must be an object";
    NotAnArray "not_an_array" Error "must be an array";
    NotText "not_text" Error "must be text";
    NotABoolean "not_a_boolean" Error "must be true or false";
    NotAnInteger "not_an_integer" Error "must be a whole number in digits" "give it as a number, without quotes, fraction or exponent";
    IntegerOutOfRange "integer_out_of_range" Error "must be within 1 and 2147483647";
    NotAGuid "not_a_guid" Error "must be a GUID" "32 hexadecimal digits, as in 2a8f5d33-eec9-4864-8b49-5636577b40d5";
    GuidAllZero "guid_all_zero" Error "must not be the all-zero GUID" "leave the member out where there is no value";
    NotADecimal "not_a_decimal" Error "must be a decimal number" "digits with a point, as in 12.50";
    DecimalOutOfRange "decimal_out_of_range" Error "does not fit a 96-bit decimal with 0 to 28 fraction digits";
    DecimalFromFloat "decimal_from_float" Warning "has more than 15 significant digits, probably from binary arithmetic" "compute with decimals and give the value as text";
    NotFinite "not_finite" Error "must not be NaN or infinite";
    NotNumberOrText "not_number_or_text" Error "must be a number or text";
    NotAJsonValue "not_a_json_value" Error "has no form in JSON" "give text, a number, true, false, null, an array or a plain object";
    TextNotUnicode "text_not_unicode" Error "holds half of a surrogate pair" "do not cut text in the middle of a character";
    NullNotAllowed "null_not_allowed" Error "must not be null" "give a value, or leave the member out where it is optional";
    DuplicateMember "duplicate_member" Error "stands more than once in the same object";
    Missing "missing" Error "is missing";
    OrderIdMismatch "order_id_mismatch" Error "is not the orderId of the path" "path and body carry the same GUID";
    ItemsEmpty "items_empty" Error "must contain at least one item";
    QuantityNotPositive "quantity_not_positive" Error "must be greater than 0";
    QuantityFractionDigits "quantity_fraction_digits" Warning "has more than 3 fraction digits";
    PriceNegative "price_negative" Error "must not be negative";
    PriceZero "price_zero" Warning "is 0";
    PriceFractionDigits "price_fraction_digits" Warning "has more than 2 fraction digits" "the point of sale may round it";
    ItemNameMissing "item_name_missing" Warning "is missing: the point of sale has no name to show";
    TaxesEmpty "taxes_empty" Error "is an empty list, which replaces the taxes of the point of sale by none" "leave Taxes out to have them calculated, or allow empty taxes where this is meant";
    TaxAmountNegative "tax_amount_negative" Error "must not be negative";
    TaxIdRepeated "tax_id_repeated" Warning "stands in another tax of this order too";
    DiscountValueNegative "discount_value_negative" Error "must not be negative";
    LocationTaxInclusive "location_tax_inclusive" Error "names a location that prices tax-inclusive; these operations are tax-exclusive" "use the tax-inclusive operations for this location";
    CustomerPricingUnsupported "customer_pricing_unsupported" Warning "has no effect on prices: v2 has no customer pricing" "use v3 for customer pricing";
    CustomerPricingPossible "customer_pricing_possible" Notice "may change prices: the point of sale may price differently for this customer";
    ReadOnlyMember "read_only_member" Warning "is filled by the service and is not sent";
    UnusedMember "unused_member" Warning "is not used by the service";
    TextLong "text_long" Warning "is longer than the point of sale shows well";
    ControlCharacter "control_character" Warning "holds a control character";
    UnknownMember "unknown_member" Warning "is not a member that this record has; it is sent as it is";
    LineLevelPricing "line_level_pricing" Error "belongs to operations with line-level pricing, which is not supported here" "give Items with SellAtPricePerUnit, the price of one unit";
    TaxUnknown "tax_unknown" Notice "is not given: the point of sale calculates the taxes, so tax and total are not known here" "give tax rates for an estimate";
    TaxAmountFractionDigits "tax_amount_fraction_digits" Warning "has more fraction digits than the currency; it is counted as it is";
    TaxRateAboveOne "tax_rate_above_one" Warning "is previewed with a tax rate of more than 100 percent" "rates are fractions: 0.05 is five percent";
    RecordsNotRead "records_not_read" Notice "is passed through unread, so its amounts are not known";
    DiscountMeaningUnknown "discount_meaning_unknown" Notice "has no known meaning, so the discount is not known" "say what it means with discountValueTypes";
    DiscountPercentOutOfRange "discount_percent_out_of_range" Error "must be within 0 and 100 percent";
    DiscountClamped "discount_clamped" Warning "is more than what is left of the subtotal; only that much is taken";
    AmountOutOfRange "amount_out_of_range" Error "leads to an amount that does not fit a 96-bit decimal";
    BodyEmpty "body_empty" Warning "is not in the response: its body is empty";
    BodyNotAnOrder "body_not_an_order" Warning "is not in the response: its body is not a JSON object";
    MemberNotReadable "member_not_readable" Warning "is not of its type in the response and reads as null";
    MemberRepeated "member_repeated" Warning "stands more than once in the response; the first one is read";
    DateWithoutOffset "date_without_offset" Warning "has no UTC offset and is taken as UTC";
    RejectedByService "rejected_by_service" Error "is refused by the service";
}

impl Serialize for IssueCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl FromStr for IssueCode {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL.iter().copied().find(|code| code.as_str() == name).ok_or(UnknownName)
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Reports that no value of a closed set has the given name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownName;

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown name")
    }
}

impl std::error::Error for UnknownName {}

impl fmt::Display for IssueCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
