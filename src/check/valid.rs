//! A valid order, as a type.

use std::fmt;
use std::ops::Deref;

use crate::issue::{Issue, IssueCollector};
use crate::options::RuleOptions;
use crate::order::SalesOrder;
use crate::record::RecordSet;
use crate::request::PreparedRequest;

/// A valid order: its required members are present, and it can be sent. It dereferences to the [`SalesOrder`].
///
/// ```
/// use sales_order_intake::{Purpose, RuleOptions, parse};
///
/// let order = r#"{
///     "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1000, "EntityId": 2000,
///     "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50",
///     "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": 19.99 }]
/// }"#;
/// let rules = RuleOptions::default();
/// let valid = parse(order).check(Purpose::Send, &rules).into_valid()?;
/// assert_eq!(valid.items[0].quantity.to_string(), "2");
/// assert_eq!(valid.request().path, "v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)");
/// # Ok::<(), sales_order_intake::InvalidOrder>(())
/// ```
#[derive(Clone)]
pub struct ValidOrder<'a> {
    order: SalesOrder,
    pub(crate) records: RecordSet<'a>,
    pub(crate) issues: IssueCollector<'a>,
    pub(crate) rules: &'a RuleOptions,
}

impl<'a> ValidOrder<'a> {
    pub(super) fn new(
        order: SalesOrder,
        records: RecordSet<'a>,
        issues: IssueCollector<'a>,
        rules: &'a RuleOptions,
    ) -> Self {
        Self { order, records, issues, rules }
    }

    /// Formats the whole PUT request.
    ///
    /// ```
    /// # use sales_order_intake::{Purpose, RuleOptions, parse};
    /// # let order = r#"{ "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1000, "EntityId": 2000, "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50", "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": "19.90" }] }"#;
    /// # let rules = RuleOptions::default();
    /// let valid = parse(order).check(Purpose::Send, &rules).into_valid()?;
    /// assert!(valid.request().body.contains(r#""SellAtPricePerUnit":19.90"#)); // the digits as given
    /// # Ok::<(), sales_order_intake::InvalidOrder>(())
    /// ```
    #[must_use]
    pub fn request(&self) -> PreparedRequest {
        let request = PreparedRequest::new(self.rules.version, self.order.id, &self.records);
        PreparedRequest { issues: self.issues(), ..request }
    }

    /// Returns the warnings and notices, in the order of the specification's members, then by code (D56).
    ///
    /// ```
    /// # use sales_order_intake::{Purpose, RuleOptions, parse};
    /// # let order = r#"{ "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1000, "EntityId": 2000, "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50", "OrderNumber": "7", "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": "19.90" }] }"#;
    /// # let rules = RuleOptions::default();
    /// let valid = parse(order).check(Purpose::Send, &rules).into_valid()?;
    /// assert_eq!(valid.issues()[0].message, "OrderNumber is not used by the service");
    /// # Ok::<(), sales_order_intake::InvalidOrder>(())
    /// ```
    #[must_use]
    pub fn issues(&self) -> Vec<Issue> {
        self.issues.snapshot().finish()
    }

    /// Returns the order itself.
    ///
    /// ```
    /// # use sales_order_intake::{Purpose, RuleOptions, parse};
    /// # let order = r#"{ "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1000, "EntityId": 2000, "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50", "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": "19.90" }] }"#;
    /// # let rules = RuleOptions::default();
    /// let order = parse(order).check(Purpose::Send, &rules).into_valid()?.into_order();
    /// assert_eq!(order.company_id, 1000);
    /// # Ok::<(), sales_order_intake::InvalidOrder>(())
    /// ```
    #[must_use]
    pub fn into_order(self) -> SalesOrder {
        self.order
    }
}

impl Deref for ValidOrder<'_> {
    type Target = SalesOrder;

    fn deref(&self) -> &SalesOrder {
        &self.order
    }
}

impl fmt::Debug for ValidOrder<'_> {
    /// Prints no personal data (D45).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.order, f)
    }
}

#[cfg(test)]
mod tests {
    use crate::check::Purpose;
    use crate::code::IssueCode;
    use crate::options::RuleOptions;
    use crate::parse::parse;

    #[test]
    fn a_cart_without_id_gives_no_request_and_reports_the_missing_id() {
        let cart = r#"{
            "CompanyId": 1, "EntityId": 2, "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50",
            "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": 1 }]
        }"#;
        let rules = RuleOptions::default();
        let checked = parse(cart).check(Purpose::Preview, &rules);
        assert!(checked.is_ok());
        let error = checked.into_valid().unwrap_err();
        assert_eq!(error.issues.len(), 1);
        assert_eq!((error.issues[0].code, &*error.issues[0].pointer), (IssueCode::Missing, "/Id"));
    }
}
