//! The closed set of issue codes, each with its severity and meaning. Messages and hints are those of the
//! [`Issue`](crate::Issue).
//!
#![doc = include_str!("issue-codes.md")]

pub(crate) mod params;

use crate::closed_set::closed_set;

use self::Severity::{Error, Notice, Warning};
use self::params::{KnownParam, known};

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

/// The [values](crate::Params) in the message of a code.
#[derive(Clone, Copy)]
pub struct CodeParams {
    /// Those that every issue has.
    pub required: &'static [KnownParam],
    /// Those that some issues have.
    pub optional: &'static [KnownParam],
}

/// Declares the codes. The documentation of each is its meaning, which ends with its sources. Then come its name, severity,
/// the message after its subject, the hint, and the values in the message: in braces those that every issue has, in brackets
/// those that only some have.
macro_rules! codes {
    ($(
        $(#[doc = $meaning:literal])+
        $variant:ident $name:literal $severity:ident $predicate:literal $($hint:literal)?
            $({ $($required:ident)+ })? $([ $($optional:ident)+ ])?;
    )*) => {
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
                $(
                    $(#[doc = $meaning])+
                    #[doc = ""]
                    #[doc = concat!("`", $name, "`: the member ", $predicate, ".")]
                    $variant = $name,
                )*
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

            /// Returns the values in the message.
            pub(crate) fn params(self) -> CodeParams {
                CodeParams {
                    required: match self { $($(Self::$variant => const { &[$(known::$required()),+] },)?)* _ => &[] },
                    optional: match self { $($(Self::$variant => const { &[$(known::$optional()),+] },)?)* _ => &[] },
                }
            }

            /// Returns the meaning and its sources, as the documentation of the variant has them.
            pub(crate) fn meaning(self) -> &'static str {
                match self { $(Self::$variant => concat!($($meaning),+),)* }
            }
        }
    };
}

codes! {
    /// The input is not valid JSON (§4).
    NotJson "not_json" Error "is not valid JSON" [ line column ];
    /// The input is larger than 33,554,432 bytes (§8).
    TooLarge "too_large" Error "is larger than {limit} bytes" "split it into several orders" { limit };
    /// An array has more than 100,000 entries; it was not read (§8).
    TooManyEntries "too_many_entries" Error "has more than {limit} entries" "split it into several orders" { limit };
    /// An object has more than 200 unknown members; the others were not read (§8).
    TooManyMembers "too_many_members" Error "has more than {limit} unknown members" "send only members of the order" { limit };
    /// A value is nested more than 64 levels deep or contains itself (§8).
    TooDeep "too_deep" Error "is nested more than {limit} levels deep or contains itself" { limit };
    /// There are more than 10,000 issues; the others are not listed. It has the highest severity of the
    /// issues that are not listed (§8).
    MoreIssues "more_issues" Error "has more than {limit} issues; the others are not listed" { limit };
    /// The value must be an object (§2).
    NotAnObject "not_an_object" Error "must be an object";
    /// The value must be an array (§2).
    NotAnArray "not_an_array" Error "must be an array";
    /// The value must be a string (§2).
    NotAString "not_a_string" Error "must be a string";
    /// The value must be `true` or `false` (§2.1).
    NotABoolean "not_a_boolean" Error "must be true or false";
    /// The value must be a JSON number without decimal point or exponent (D4).
    NotAnInteger "not_an_integer" Error "must be an integer" "use a number without quotes, decimal point or exponent";
    /// The integer is not between 1 and 2,147,483,647 (D4).
    IntegerOutOfRange "integer_out_of_range" Error "must be between {min} and {max}" { min max };
    /// The value is not a string in one of the GUID forms D, N, B, P (D1).
    NotAGuid "not_a_guid" Error "must be a GUID" "use 32 hexadecimal digits, such as 2a8f5d33-eec9-4864-8b49-5636577b40d5";
    /// The GUID is all zero and identifies nothing (D1).
    GuidAllZero "guid_all_zero" Error "must not be the all-zero GUID" "supply the real GUID; only an optional member can be left out";
    /// The value is neither a number nor a string such as `12.50`: digits with an optional minus sign,
    /// decimal point and exponent, without leading zeros, and nothing else (D8).
    NotADecimal "not_a_decimal" Error "must be a decimal number" "use digits and a decimal point, such as 12.50";
    /// The number does not fit into a 96-bit decimal with 0 to 28 fraction digits (D8).
    DecimalOutOfRange "decimal_out_of_range" Error "does not fit into a 96-bit decimal with 0 to 28 fraction digits";
    /// A number has more than 15 significant digits, probably from floating-point arithmetic (D8).
    DecimalFromFloat "decimal_from_float" Warning "has more than {limit} significant digits, probably from floating-point arithmetic" "calculate with decimals and pass the value as a string" { limit };
    /// The value is NaN or infinite (D8).
    NotFinite "not_finite" Error "must be a finite number";
    /// The value must be a number or a string (D14).
    NotANumberOrString "not_a_number_or_string" Error "must be a number or a string";
    /// JSON cannot represent the value: a function, a symbol, a Map, an invalid date, a hole in an array, a
    /// getter that throws (§4).
    NotAJsonValue "not_a_json_value" Error "cannot be represented in JSON" "use a string, a number, true, false, null, an array or a plain object";
    /// A string contains an unpaired surrogate (§4).
    NotUnicode "not_unicode" Error "contains an unpaired surrogate" "do not split a string inside a character";
    /// The value must not be `null` (§2.1).
    NullNotAllowed "null_not_allowed" Error "must not be null" "supply a value; only an optional member can be left out";
    /// A member appears more than once in the same object, perhaps in another case (`Quantity` and `quantity`): readers
    /// take different ones, so no value is used (§4, D63).
    DuplicateMember "duplicate_member" Error "appears more than once in the same object" "remove all but one" [ found ];
    /// A required member is missing (§2.1, §4, D4, D5, D10).
    Missing "missing" Error "is missing" [ suggestion found ];
    /// `Id` differs from the order Id in the path (§4, D3).
    OrderIdMismatch "order_id_mismatch" Error "differs from the order Id in the path" "use the same GUID in path and body";
    /// `Id` could not be generated, because the platform has no secure random source (§4, D2).
    NoRandomSource "no_random_source" Error "could not be generated: the platform has no secure random source" "supply an Id, or derive one from your own key";
    /// An order must contain at least one item (§2.1).
    ItemsEmpty "items_empty" Error "must contain at least one item";
    /// A quantity must be greater than 0 (D6).
    QuantityNotPositive "quantity_not_positive" Error "must be greater than 0";
    /// A quantity has more than 3 fraction digits (D6).
    QuantityFractionDigits "quantity_fraction_digits" Warning "has more than {limit} fraction digits" { limit };
    /// A price must not be negative (D7).
    PriceNegative "price_negative" Error "must not be negative";
    /// A price is 0 (D7).
    PriceZero "price_zero" Warning "is 0";
    /// The extended price of a line is rounded to 0, although neither its quantity nor its price is 0 (D7).
    ExtendedPriceZero "extended_price_zero" Warning "is free: its extended price is rounded to 0, although neither quantity nor price is 0" "check quantity and price";
    /// A price has more fraction digits than the currency: than the option `scale`, which is 2 by default (D7).
    PriceFractionDigits "price_fraction_digits" Warning "has more than {limit} fraction digits" "the point of sale may round it" { limit };
    /// An item has no name, or a blank one; the point of sale has none to display (D5).
    ItemNameMissing "item_name_missing" Warning "is missing or blank; the point of sale has no name to display" [ suggestion found ];
    /// `Taxes: []` replaces the taxes of the point of sale with none, and `allowEmptyTaxes` is not set (D9).
    TaxesEmpty "taxes_empty" Error "is empty, which replaces all taxes with none" "omit Taxes to have them calculated, or set allowEmptyTaxes if no tax is intended";
    /// A tax amount must not be negative (D10).
    TaxAmountNegative "tax_amount_negative" Error "must not be negative";
    /// The same `TaxId` appears in more than one tax (D10).
    TaxIdRepeated "tax_id_repeated" Warning "appears in more than one tax of the order";
    /// The value of a discount must not be negative (D13).
    DiscountValueNegative "discount_value_negative" Error "must not be negative";
    /// The location has tax-inclusive prices; these operations are tax-exclusive (§1, D21).
    LocationTaxInclusive "location_tax_inclusive" Error "is a location with tax-inclusive prices, but these operations are tax-exclusive" "use the tax-inclusive operations for this location";
    /// `CustomerId` has no effect on prices: v2 has no customer pricing (§4, D20).
    CustomerPricingUnsupported "customer_pricing_unsupported" Warning "has no effect on prices: v2 has no customer pricing" "use v3 for customer pricing";
    /// The point of sale can price differently for this customer (§4, D20).
    CustomerPricingPossible "customer_pricing_possible" Notice "may change prices: the point of sale can price differently for this customer";
    /// The service sets this member; it is not sent (§2.1, D22).
    ReadOnlyMember "read_only_member" Warning "is read-only: the service sets it, and it is not sent";
    /// The service does not use this member (§2.1, D23).
    UnusedMember "unused_member" Warning "is not used by the service";
    /// A string is too long to display well: more than 100 characters in names, 250 in `Notes`, 50 in
    /// `TimeSlotDisplayString` (§2.1, D24).
    TextLong "text_long" Warning "is too long to display well at the point of sale" "keep it within {limit} characters" { limit length };
    /// A displayed string contains a control character (D24).
    ControlCharacter "control_character" Warning "contains a control character";
    /// The member is not a known one; it is sent unchanged (D25).
    UnknownMember "unknown_member" Warning "is not a known member; it is sent unchanged" [ suggestion ];
    /// `Lines` and `LineDollarAmount` belong to line-level pricing, which these operations do not support
    /// (§1, D25).
    LineLevelPricing "line_level_pricing" Error "belongs to line-level pricing, which these operations do not support" "use Items with SellAtPricePerUnit, the price of one unit";
    /// The point of sale calculates the taxes, so tax and total are unknown (§2.1, D12).
    TaxUnknown "tax_unknown" Notice "is not supplied: the point of sale calculates the taxes, so tax and total are unknown" "set taxRates to get an estimate";
    /// A supplied tax has more fraction digits than the currency; it is added unrounded (D11).
    TaxAmountFractionDigits "tax_amount_fraction_digits" Warning "has more fraction digits than the currency; it is added unrounded";
    /// A tax rate is above 1, which is 100 percent: tax rates are fractions (D12).
    TaxRateAboveOne "tax_rate_above_one" Warning "is previewed with a tax rate above 100 percent" "tax rates are fractions: 0.05 is 5 percent";
    /// With `records: 'passthrough'` the discount or the taxes are not read, so their amounts are unknown
    /// (D10, D13).
    RecordsNotRead "records_not_read" Notice "is passed through unread, so its amounts are unknown";
    /// `discountValueTypes` does not define this `ValueType`, so the discount is unknown (D14).
    DiscountMeaningUnknown "discount_meaning_unknown" Notice "has no known meaning, so the discount is unknown" "set discountValueTypes to define it";
    /// The discount has members, but no `InvoiceLevel`. Its form is only assumed, so these may be a discount of another
    /// form, and the discount is unknown (D13).
    DiscountFormUnknown "discount_form_unknown" Notice "has no InvoiceLevel but other members, so the discount is unknown" "list the discounts in InvoiceLevel";
    /// A percentage must be between 0 and 100 (D15).
    DiscountPercentOutOfRange "discount_percent_out_of_range" Error "must be between 0 and 100 percent";
    /// A discount is more than the remaining subtotal; it is limited to that (D15).
    DiscountClamped "discount_clamped" Warning "is more than the remaining subtotal; the discount is limited to that";
    /// A calculated amount does not fit into a 96-bit decimal, or has more than 38 digits before it is
    /// rounded (D8, D18).
    AmountOutOfRange "amount_out_of_range" Error "results in an amount with too many digits to calculate exactly";
    /// The response has no body (D26).
    BodyEmpty "body_empty" Warning "is missing from the response: the body is empty";
    /// The response body is not a JSON object (D26).
    BodyNotAnOrder "body_not_an_order" Warning "is missing from the response: the body is not a JSON object";
    /// A member of the response has an unexpected type or format; it is read as `null` (D26).
    MemberNotReadable "member_not_readable" Warning "has an unexpected type or format in the response and is read as null";
    /// A member appears more than once in the response, perhaps in another case; the first value is used
    /// (D26).
    MemberRepeated "member_repeated" Warning "appears more than once in the response; the first value is used";
    /// The number of items in the response, or the product, quantity or price of one, is another than in the order that was
    /// sent (D26).
    DiffersFromSent "differs_from_sent" Warning "differs in the response from the order that was sent" "compare the order at the point of sale with yours";
    /// The date has no UTC offset; it is read as UTC (D41).
    DateWithoutOffset "date_without_offset" Warning "has no UTC offset and is read as UTC";
    /// The service rejected the order for a reason of its own (D30).
    RejectedByService "rejected_by_service" Error "was rejected by the service";
}
