//! The closed set of issue codes, each with its severity and meaning. Messages and hints are those of the
//! [`Issue`](crate::Issue).
//!
#![doc = include_str!("issue-codes.md")]

use crate::closed_set::closed_set;

use self::Severity::{Error, Notice, Warning};

closed_set! {
    /// The severity of an issue. Only an error blocks the request.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Severity {
        /// Blocks the request.
        Error = "error",
        /// Does not block the request, but is probably a mistake.
        Warning = "warning",
        /// Does not block the request; informs the user.
        Notice = "notice",
    }
}

macro_rules! codes {
    ($($variant:ident $name:literal $severity:ident $predicate:literal $($hint:literal)?;)*) => {
        closed_set! {
            /// The code of an [`Issue`](crate::Issue); see the table in the documentation of [this module](crate::code).
            ///
            /// Serializes and displays as the name in the table, and parses from it.
            ///
            /// ```
            /// use sales_order_intake::{IssueCode, Severity};
            ///
            /// let code = "items_empty".parse::<IssueCode>().unwrap();
            /// assert_eq!(code, IssueCode::ItemsEmpty);
            /// assert_eq!(code.as_str(), "items_empty");
            /// assert_eq!(code.severity(), Severity::Error);
            /// ```
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            #[non_exhaustive]
            pub enum IssueCode {
                $(#[doc = concat!("`", $name, "`: the member ", $predicate, ".")] $variant = $name,)*
            }
        }

        impl IssueCode {
            /// Returns the severity of an issue with this code.
            ///
            /// An issue with [`IssueCode::MoreIssues`] takes the highest severity of the issues that are not listed.
            ///
            /// ```
            /// use sales_order_intake::{IssueCode, Severity};
            ///
            /// assert_eq!(IssueCode::PriceZero.severity(), Severity::Warning);
            /// ```
            #[must_use]
            pub fn severity(self) -> Severity {
                match self { $(Self::$variant => $severity,)* }
            }

            /// Returns the rest of the message after its subject: "must be a GUID" in "Id must be a GUID".
            pub(crate) fn predicate(self) -> &'static str {
                match self { $(Self::$variant => $predicate,)* }
            }

            /// Returns what to do about the issue, or `None` if that differs from case to case.
            pub(crate) fn hint(self) -> Option<&'static str> {
                match self { $($(Self::$variant => Some($hint),)?)* _ => None }
            }
        }
    };
}

codes! {
    NotJson "not_json" Error "is not valid JSON";
    TooLarge "too_large" Error "is larger than {limit} bytes" "split it into several orders";
    TooManyEntries "too_many_entries" Error "has more than {limit} entries" "split it into several orders";
    TooManyMembers "too_many_members" Error "has more than {limit} unknown members" "send only members of the order";
    TooDeep "too_deep" Error "is nested more than {limit} levels deep or contains itself";
    MoreIssues "more_issues" Error "has more than {limit} issues; the others are not listed";
    NotAnObject "not_an_object" Error "must be an object";
    NotAnArray "not_an_array" Error "must be an array";
    NotAString "not_a_string" Error "must be a string";
    NotABoolean "not_a_boolean" Error "must be true or false";
    NotAnInteger "not_an_integer" Error "must be an integer" "use a number without quotes, decimal point or exponent";
    IntegerOutOfRange "integer_out_of_range" Error "must be between {min} and {max}";
    NotAGuid "not_a_guid" Error "must be a GUID" "use 32 hexadecimal digits, such as 2a8f5d33-eec9-4864-8b49-5636577b40d5";
    GuidAllZero "guid_all_zero" Error "must not be the all-zero GUID" "if there is no value, omit the member";
    NotADecimal "not_a_decimal" Error "must be a decimal number" "use digits and a decimal point, such as 12.50";
    DecimalOutOfRange "decimal_out_of_range" Error "does not fit into a 96-bit decimal with 0 to 28 fraction digits";
    DecimalFromFloat "decimal_from_float" Warning "has more than {limit} significant digits, probably from floating-point arithmetic" "calculate with decimals and pass the value as a string";
    NotFinite "not_finite" Error "must be a finite number";
    NotANumberOrString "not_a_number_or_string" Error "must be a number or a string";
    NotAJsonValue "not_a_json_value" Error "cannot be represented in JSON" "use a string, a number, true, false, null, an array or a plain object";
    NotUnicode "not_unicode" Error "contains an unpaired surrogate" "do not split a string inside a character";
    NullNotAllowed "null_not_allowed" Error "must not be null" "supply a value, or omit the member if it is optional";
    DuplicateMember "duplicate_member" Error "appears more than once in the same object" "remove all but one";
    Missing "missing" Error "is missing";
    OrderIdMismatch "order_id_mismatch" Error "differs from the order Id in the path" "use the same GUID in path and body";
    NoRandomSource "no_random_source" Error "could not be generated: the platform has no secure random source" "supply an Id, or derive one from your own key";
    ItemsEmpty "items_empty" Error "must contain at least one item";
    QuantityNotPositive "quantity_not_positive" Error "must be greater than 0";
    QuantityFractionDigits "quantity_fraction_digits" Warning "has more than {limit} fraction digits";
    PriceNegative "price_negative" Error "must not be negative";
    PriceZero "price_zero" Warning "is 0";
    PriceFractionDigits "price_fraction_digits" Warning "has more than {limit} fraction digits" "the point of sale may round it";
    ItemNameMissing "item_name_missing" Warning "is missing or blank; the point of sale has no name to display";
    TaxesEmpty "taxes_empty" Error "is empty, which replaces all taxes with none" "omit Taxes to have them calculated, or set allowEmptyTaxes if no tax is intended";
    TaxAmountNegative "tax_amount_negative" Error "must not be negative";
    TaxIdRepeated "tax_id_repeated" Warning "appears in more than one tax of the order";
    DiscountValueNegative "discount_value_negative" Error "must not be negative";
    LocationTaxInclusive "location_tax_inclusive" Error "is a location with tax-inclusive prices, but these operations are tax-exclusive" "use the tax-inclusive operations for this location";
    CustomerPricingUnsupported "customer_pricing_unsupported" Warning "has no effect on prices: v2 has no customer pricing" "use v3 for customer pricing";
    CustomerPricingPossible "customer_pricing_possible" Notice "may change prices: the point of sale can price differently for this customer";
    ReadOnlyMember "read_only_member" Warning "is read-only: the service sets it, and it is not sent";
    UnusedMember "unused_member" Warning "is not used by the service";
    TextLong "text_long" Warning "is too long to display well at the point of sale" "keep it within {limit} characters";
    ControlCharacter "control_character" Warning "contains a control character";
    UnknownMember "unknown_member" Warning "is not a known member; it is sent unchanged";
    LineLevelPricing "line_level_pricing" Error "belongs to line-level pricing, which these operations do not support" "use Items with SellAtPricePerUnit, the price of one unit";
    TaxUnknown "tax_unknown" Notice "is not supplied: the point of sale calculates the taxes, so tax and total are unknown" "set taxRates to get an estimate";
    TaxAmountFractionDigits "tax_amount_fraction_digits" Warning "has more fraction digits than the currency; it is added unrounded";
    TaxRateAboveOne "tax_rate_above_one" Warning "is previewed with a tax rate above 100 percent" "tax rates are fractions: 0.05 is 5 percent";
    RecordsNotRead "records_not_read" Notice "is passed through unread, so its amounts are unknown";
    DiscountMeaningUnknown "discount_meaning_unknown" Notice "has no known meaning, so the discount is unknown" "set discountValueTypes to define it";
    DiscountPercentOutOfRange "discount_percent_out_of_range" Error "must be between 0 and 100 percent";
    DiscountClamped "discount_clamped" Warning "is more than the remaining subtotal; the discount is limited to that";
    AmountOutOfRange "amount_out_of_range" Error "results in an amount with too many digits to calculate exactly";
    BodyEmpty "body_empty" Warning "is missing from the response: the body is empty";
    BodyNotAnOrder "body_not_an_order" Warning "is missing from the response: the body is not a JSON object";
    MemberNotReadable "member_not_readable" Warning "has an unexpected type or format in the response and is read as null";
    MemberRepeated "member_repeated" Warning "appears more than once in the response; the first value is used";
    DateWithoutOffset "date_without_offset" Warning "has no UTC offset and is read as UTC";
    RejectedByService "rejected_by_service" Error "was rejected by the service";
}
