// Generated from the tables of the Rust core by `make generate`.

/** The members of all records that are integers. */
export const INTEGERS: readonly string[] = ['CompanyId', 'EntityId'];

/** The members of all records that are true or false. */
export const BOOLEANS: readonly string[] = ['IsDelivery'];

/** The members of all records that are decimals. */
export const DECIMALS: readonly string[] = ['Quantity', 'SellAtPricePerUnit', 'TaxAmount', 'Value'];
