// Generated from the tables of the Rust core by `make generate`.
// biome-ignore-all lint/complexity/noBannedTypes: {} has no members, so none can be read.

/** The code of an issue. The set is closed and no code is ever renamed; messages may change. */
export type IssueCode =
  /** error: the member is not valid JSON. */
  | 'not_json'
  /** error: the member is larger than {limit} bytes. */
  | 'too_large'
  /** error: the member has more than {limit} entries. */
  | 'too_many_entries'
  /** error: the member has more than {limit} unknown members. */
  | 'too_many_members'
  /** error: the member is nested more than {limit} levels deep or contains itself. */
  | 'too_deep'
  /** error: the member has more than {limit} issues; the others are not listed. */
  | 'more_issues'
  /** error: the member must be an object. */
  | 'not_an_object'
  /** error: the member must be an array. */
  | 'not_an_array'
  /** error: the member must be a string. */
  | 'not_a_string'
  /** error: the member must be true or false. */
  | 'not_a_boolean'
  /** error: the member must be an integer. */
  | 'not_an_integer'
  /** error: the member must be between {min} and {max}. */
  | 'integer_out_of_range'
  /** error: the member must be a GUID. */
  | 'not_a_guid'
  /** error: the member must not be the all-zero GUID. */
  | 'guid_all_zero'
  /** error: the member must be a decimal number. */
  | 'not_a_decimal'
  /** error: the member does not fit into a 96-bit decimal with 0 to 28 fraction digits. */
  | 'decimal_out_of_range'
  /** warning: the member has more than {limit} significant digits, probably from floating-point arithmetic. */
  | 'decimal_from_float'
  /** error: the member must be a finite number. */
  | 'not_finite'
  /** error: the member must be a number or a string. */
  | 'not_a_number_or_string'
  /** error: the member cannot be represented in JSON. */
  | 'not_a_json_value'
  /** error: the member contains an unpaired surrogate. */
  | 'not_unicode'
  /** error: the member must not be null. */
  | 'null_not_allowed'
  /** error: the member appears more than once in the same object. */
  | 'duplicate_member'
  /** error: the member is missing. */
  | 'missing'
  /** error: the member differs from the order Id in the path. */
  | 'order_id_mismatch'
  /** error: the member could not be generated: the platform has no secure random source. */
  | 'no_random_source'
  /** error: the member must contain at least one item. */
  | 'items_empty'
  /** error: the member must be greater than 0. */
  | 'quantity_not_positive'
  /** warning: the member has more than {limit} fraction digits. */
  | 'quantity_fraction_digits'
  /** error: the member must not be negative. */
  | 'price_negative'
  /** warning: the member is 0. */
  | 'price_zero'
  /** warning: the member is free: its extended price is rounded to 0, although neither quantity nor price is 0. */
  | 'extended_price_zero'
  /** warning: the member has more than {limit} fraction digits. */
  | 'price_fraction_digits'
  /** warning: the member is missing or blank; the point of sale has no name to display. */
  | 'item_name_missing'
  /** error: the member is empty, which replaces all taxes with none. */
  | 'taxes_empty'
  /** error: the member must not be negative. */
  | 'tax_amount_negative'
  /** warning: the member appears in more than one tax of the order. */
  | 'tax_id_repeated'
  /** error: the member must not be negative. */
  | 'discount_value_negative'
  /** error: the member is a location with tax-inclusive prices, but these operations are tax-exclusive. */
  | 'location_tax_inclusive'
  /** warning: the member has no effect on prices: v2 has no customer pricing. */
  | 'customer_pricing_unsupported'
  /** notice: the member may change prices: the point of sale can price differently for this customer. */
  | 'customer_pricing_possible'
  /** warning: the member is read-only: the service sets it, and it is not sent. */
  | 'read_only_member'
  /** warning: the member is not used by the service. */
  | 'unused_member'
  /** warning: the member is too long to display well at the point of sale. */
  | 'text_long'
  /** warning: the member contains a control character. */
  | 'control_character'
  /** warning: the member is not a known member; it is sent unchanged. */
  | 'unknown_member'
  /** error: the member belongs to line-level pricing, which these operations do not support. */
  | 'line_level_pricing'
  /** notice: the member is not supplied: the point of sale calculates the taxes, so tax and total are unknown. */
  | 'tax_unknown'
  /** warning: the member has more fraction digits than the currency; it is added unrounded. */
  | 'tax_amount_fraction_digits'
  /** warning: the member is previewed with a tax rate above 100 percent. */
  | 'tax_rate_above_one'
  /** notice: the member is passed through unread, so its amounts are unknown. */
  | 'records_not_read'
  /** notice: the member has no known meaning, so the discount is unknown. */
  | 'discount_meaning_unknown'
  /** notice: the member has no InvoiceLevel but other members, so the discount is unknown. */
  | 'discount_form_unknown'
  /** error: the member must be between 0 and 100 percent. */
  | 'discount_percent_out_of_range'
  /** warning: the member is more than the remaining subtotal; the discount is limited to that. */
  | 'discount_clamped'
  /** error: the member results in an amount with too many digits to calculate exactly. */
  | 'amount_out_of_range'
  /** warning: the member is missing from the response: the body is empty. */
  | 'body_empty'
  /** warning: the member is missing from the response: the body is not a JSON object. */
  | 'body_not_an_order'
  /** warning: the member has an unexpected type or format in the response and is read as null. */
  | 'member_not_readable'
  /** warning: the member appears more than once in the response; the first value is used. */
  | 'member_repeated'
  /** warning: the member differs in the response from the order that was sent. */
  | 'differs_from_sent'
  /** warning: the member has no UTC offset and is read as UTC. */
  | 'date_without_offset'
  /** error: the member was rejected by the service. */
  | 'rejected_by_service';

/**
 * The values in the message of each code, for messages in other languages. A code whose message has none has `{}`.
 */
export interface IssueParams {
  /** The member is not valid JSON. */
  not_json: {
    /** The line, from 1. */
    line?: number;
    /** The column in characters, from 1. */
    column?: number;
  };
  /** The member is larger than {limit} bytes. */
  too_large: {
    /** The highest number that is allowed: of bytes, entries, members, levels, issues, digits or characters. */
    limit: number;
  };
  /** The member has more than {limit} entries. */
  too_many_entries: {
    /** The highest number that is allowed: of bytes, entries, members, levels, issues, digits or characters. */
    limit: number;
  };
  /** The member has more than {limit} unknown members. */
  too_many_members: {
    /** The highest number that is allowed: of bytes, entries, members, levels, issues, digits or characters. */
    limit: number;
  };
  /** The member is nested more than {limit} levels deep or contains itself. */
  too_deep: {
    /** The highest number that is allowed: of bytes, entries, members, levels, issues, digits or characters. */
    limit: number;
  };
  /** The member has more than {limit} issues; the others are not listed. */
  more_issues: {
    /** The highest number that is allowed: of bytes, entries, members, levels, issues, digits or characters. */
    limit: number;
  };
  /** The member must be an object. */
  not_an_object: {};
  /** The member must be an array. */
  not_an_array: {};
  /** The member must be a string. */
  not_a_string: {};
  /** The member must be true or false. */
  not_a_boolean: {};
  /** The member must be an integer. */
  not_an_integer: {};
  /** The member must be between {min} and {max}. */
  integer_out_of_range: {
    /** The lowest value that is allowed. */
    min: number;
    /** The highest value that is allowed. */
    max: number;
  };
  /** The member must be a GUID. */
  not_a_guid: {};
  /** The member must not be the all-zero GUID. */
  guid_all_zero: {};
  /** The member must be a decimal number. */
  not_a_decimal: {};
  /** The member does not fit into a 96-bit decimal with 0 to 28 fraction digits. */
  decimal_out_of_range: {};
  /** The member has more than {limit} significant digits, probably from floating-point arithmetic. */
  decimal_from_float: {
    /** The highest number that is allowed: of bytes, entries, members, levels, issues, digits or characters. */
    limit: number;
  };
  /** The member must be a finite number. */
  not_finite: {};
  /** The member must be a number or a string. */
  not_a_number_or_string: {};
  /** The member cannot be represented in JSON. */
  not_a_json_value: {};
  /** The member contains an unpaired surrogate. */
  not_unicode: {};
  /** The member must not be null. */
  null_not_allowed: {};
  /** The member appears more than once in the same object. */
  duplicate_member: {
    /** The name of the member that is present instead, or besides. */
    found?: string;
  };
  /** The member is missing. */
  missing: {
    /** The name of the member that was probably meant. */
    suggestion?: string;
    /** The name of the member that is present instead, or besides. */
    found?: string;
  };
  /** The member differs from the order Id in the path. */
  order_id_mismatch: {};
  /** The member could not be generated: the platform has no secure random source. */
  no_random_source: {};
  /** The member must contain at least one item. */
  items_empty: {};
  /** The member must be greater than 0. */
  quantity_not_positive: {};
  /** The member has more than {limit} fraction digits. */
  quantity_fraction_digits: {
    /** The highest number that is allowed: of bytes, entries, members, levels, issues, digits or characters. */
    limit: number;
  };
  /** The member must not be negative. */
  price_negative: {};
  /** The member is 0. */
  price_zero: {};
  /** The member is free: its extended price is rounded to 0, although neither quantity nor price is 0. */
  extended_price_zero: {};
  /** The member has more than {limit} fraction digits. */
  price_fraction_digits: {
    /** The highest number that is allowed: of bytes, entries, members, levels, issues, digits or characters. */
    limit: number;
  };
  /** The member is missing or blank; the point of sale has no name to display. */
  item_name_missing: {
    /** The name of the member that was probably meant. */
    suggestion?: string;
    /** The name of the member that is present instead, or besides. */
    found?: string;
  };
  /** The member is empty, which replaces all taxes with none. */
  taxes_empty: {};
  /** The member must not be negative. */
  tax_amount_negative: {};
  /** The member appears in more than one tax of the order. */
  tax_id_repeated: {};
  /** The member must not be negative. */
  discount_value_negative: {};
  /** The member is a location with tax-inclusive prices, but these operations are tax-exclusive. */
  location_tax_inclusive: {};
  /** The member has no effect on prices: v2 has no customer pricing. */
  customer_pricing_unsupported: {};
  /** The member may change prices: the point of sale can price differently for this customer. */
  customer_pricing_possible: {};
  /** The member is read-only: the service sets it, and it is not sent. */
  read_only_member: {};
  /** The member is not used by the service. */
  unused_member: {};
  /** The member is too long to display well at the point of sale. */
  text_long: {
    /** The highest number that is allowed: of bytes, entries, members, levels, issues, digits or characters. */
    limit: number;
    /** The length of the string, in characters. */
    length: number;
  };
  /** The member contains a control character. */
  control_character: {};
  /** The member is not a known member; it is sent unchanged. */
  unknown_member: {
    /** The name of the member that was probably meant. */
    suggestion?: string;
  };
  /** The member belongs to line-level pricing, which these operations do not support. */
  line_level_pricing: {};
  /** The member is not supplied: the point of sale calculates the taxes, so tax and total are unknown. */
  tax_unknown: {};
  /** The member has more fraction digits than the currency; it is added unrounded. */
  tax_amount_fraction_digits: {};
  /** The member is previewed with a tax rate above 100 percent. */
  tax_rate_above_one: {};
  /** The member is passed through unread, so its amounts are unknown. */
  records_not_read: {};
  /** The member has no known meaning, so the discount is unknown. */
  discount_meaning_unknown: {};
  /** The member has no InvoiceLevel but other members, so the discount is unknown. */
  discount_form_unknown: {};
  /** The member must be between 0 and 100 percent. */
  discount_percent_out_of_range: {};
  /** The member is more than the remaining subtotal; the discount is limited to that. */
  discount_clamped: {};
  /** The member results in an amount with too many digits to calculate exactly. */
  amount_out_of_range: {};
  /** The member is missing from the response: the body is empty. */
  body_empty: {};
  /** The member is missing from the response: the body is not a JSON object. */
  body_not_an_order: {};
  /** The member has an unexpected type or format in the response and is read as null. */
  member_not_readable: {};
  /** The member appears more than once in the response; the first value is used. */
  member_repeated: {};
  /** The member differs in the response from the order that was sent. */
  differs_from_sent: {};
  /** The member has no UTC offset and is read as UTC. */
  date_without_offset: {};
  /** The member was rejected by the service. */
  rejected_by_service: {};
}
