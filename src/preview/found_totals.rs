//! The totals of an order as they were calculated, from which [`Totals`] are made.

use crate::decimal::Amount;
use crate::options::{AmountOptions, Version};

use super::discount::Discount;
use super::input::{DiscountInput, Input, TaxInput};
use super::result::{DiscountEntry, DiscountPreview, TaxEntry, TaxPreview, TaxSource, Totals};

/// The totals of an order. The names of discounts and taxes are borrowed: copying them takes a tenth of the time of an order with
/// discounts.
pub struct FoundTotals<'p, 'a> {
    pub(super) input: Input<'a>,
    pub(super) discount: Discount,
    /// The estimated tax of each rate.
    pub(super) taxes: Vec<Amount>,
    /// The operation the order is for.
    pub version: Version,
    /// How the amounts were calculated.
    pub options: &'p AmountOptions,
    /// The sum of the rounded extended prices.
    pub subtotal: Option<Amount>,
    /// Where the taxes come from.
    pub tax_source: TaxSource,
    /// All taxes together.
    pub tax: Option<Amount>,
    /// Subtotal − discount + tax.
    pub total: Option<Amount>,
}

impl<'p> FoundTotals<'p, '_> {
    /// Returns the totals of an order that could not be read at all.
    pub(super) fn unknown(version: Version, options: &'p AmountOptions) -> Self {
        Self {
            input: Input { discount: DiscountInput::Unknown, taxes: TaxInput::Unknown },
            discount: Discount::default(),
            taxes: Vec::new(),
            version,
            options,
            subtotal: None,
            tax_source: TaxSource::PointOfSale,
            tax: None,
            total: None,
        }
    }
}

impl FoundTotals<'_, '_> {
    /// Returns the whole discount; `None` if it is unknown.
    #[must_use]
    pub fn discount(&self) -> Option<Amount> {
        self.discount.total
    }

    /// Returns the discounts: their names and amounts.
    #[must_use]
    pub fn discounts(&self) -> impl ExactSizeIterator<Item = (Option<&str>, Option<Amount>)> {
        let terms = match &self.input.discount {
            DiscountInput::Entries(terms) => terms.as_slice(),
            DiscountInput::Unknown => &[],
        };
        terms.iter().map(|term| term.name.as_deref()).zip(self.discount.entries.iter().copied())
    }

    /// Returns the taxes: supplied ones with their TaxId, estimated ones with id and name of their rate.
    #[must_use]
    pub fn taxes(&self) -> Vec<(&str, Option<&str>, Amount)> {
        if let TaxInput::Supplied(taxes) = &self.input.taxes {
            let entries = taxes.iter().filter_map(|tax| Some((tax.id.as_deref()?, None, tax.amount?)));
            return entries.collect();
        }
        let rates = self.options.tax_rates.as_deref().unwrap_or_default().iter();
        rates.zip(&self.taxes).map(|(rate, amount)| (&*rate.id, rate.name.as_deref(), *amount)).collect()
    }
}

impl From<FoundTotals<'_, '_>> for Totals {
    fn from(found: FoundTotals<'_, '_>) -> Self {
        let decimal = |amount: Option<Amount>| amount.and_then(Amount::into_decimal);
        let discounts = found
            .discounts()
            .map(|(name, amount)| DiscountEntry { name: name.map(str::to_owned), amount: decimal(amount) });
        let taxes = found.taxes().into_iter().filter_map(|(tax_id, name, amount)| {
            let amount = amount.into_decimal()?;
            Some(TaxEntry { tax_id: tax_id.to_owned(), name: name.map(str::to_owned), amount })
        });
        Self {
            version: found.version,
            scale: found.options.scale.digits(),
            rounding: found.options.rounding,
            subtotal: decimal(found.subtotal),
            discount: DiscountPreview { total: decimal(found.discount()), entries: discounts.collect() },
            tax: TaxPreview { source: found.tax_source, total: decimal(found.tax), entries: taxes.collect() },
            total: decimal(found.total),
        }
    }
}
