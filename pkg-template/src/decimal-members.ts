// Generated from the tables of the Rust core by `make generate`.

/** The members of all records that are decimals. */
export const DECIMALS: readonly string[] = ['Quantity', 'SellAtPricePerUnit', 'TaxAmount', 'Value'];
