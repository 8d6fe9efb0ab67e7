//! The members each record has, and what a caller meant who wrote another name (§2, D25).

/// The members of one record.
pub(crate) struct Names {
    members: &'static [&'static str],
    /// False where only the sibling operations show the shape: members beyond it are kept without a word (D10, D13).
    shown: bool,
}

pub(crate) const ORDER: Names = Names {
    members: &[
        "Id",
        "CompanyId",
        "EntityId",
        "WasCreatedWithInventoryHold",
        "FirstName",
        "LastName",
        "CustomerId",
        "DateCreatedUtc",
        "OrderSource",
        "OrderNumber",
        "IntegratorId",
        "Items",
        "Discount",
        "IsDelivery",
        "ReceiptNumber",
        "ExternalOrderId",
        "Taxes",
        "Notes",
        "TimeSlotDisplayString",
    ],
    shown: true,
};

pub(crate) const SOURCE: Names = Names { members: &["Id", "Name"], shown: true };

pub(crate) const ITEM: Names = Names {
    members: &["Name", "CatalogItemId", "Quantity", "SellAtPricePerUnit", "PackageId", "Batch"],
    shown: true,
};

pub(crate) const DISCOUNT: Names = Names { members: &["InvoiceLevel"], shown: false };

pub(crate) const DISCOUNT_ENTRY: Names = Names { members: &["Name", "Value", "ValueType"], shown: false };

pub(crate) const TAX: Names = Names { members: &["TaxId", "TaxAmount"], shown: false };

/// Members of the line-level pricing operations, which integrators carry over (§1, D25).
const LINE_LEVEL: [&str; 2] = ["Lines", "LineDollarAmount"];

/// The member of any record with this name in another case, as it is spelt.
pub(crate) fn spelt(name: &str) -> Option<&'static str> {
    [ORDER, ITEM, TAX, DISCOUNT, DISCOUNT_ENTRY].iter().find_map(|names| names.find(name, true))
}

impl Names {
    /// All of them, in the order of the specification.
    #[cfg(all(test, feature = "service"))]
    pub(crate) fn members(&self) -> &'static [&'static str] {
        self.members
    }

    /// The member of this name; in a response the case may be any (D26).
    pub(crate) fn find(&self, name: &str, any_case: bool) -> Option<&'static str> {
        let same = |member: &&&str| **member == name || any_case && member.eq_ignore_ascii_case(name);
        self.members.iter().find(same).copied()
    }

    pub(crate) fn is_line_level(&self, name: &str) -> bool {
        self.shown && LINE_LEVEL.iter().any(|line_level| line_level.eq_ignore_ascii_case(name))
    }

    /// Whether a name that the record does not have is worth a word, and what it may have been meant for.
    pub(crate) fn unknown_member_hint(&self, name: &str) -> Option<Option<String>> {
        let meant = self.meant_by(name);
        let said = self.shown || meant.is_some_and(|meant| meant.eq_ignore_ascii_case(name));
        said.then(|| meant.map(|meant| ["did you mean ", meant, "?"].concat()))
    }

    /// The member that a name is another case or a near miss of.
    pub(crate) fn meant_by(&self, name: &str) -> Option<&'static str> {
        /// Longer than any member and its near misses.
        const LONGEST: usize = 32;
        if name.len() > LONGEST {
            return None;
        }
        let name = name.to_ascii_lowercase();
        let distance = |member: &str| strsim::osa_distance(&member.to_ascii_lowercase(), &name);
        let (distance, member) = self.members.iter().map(|member| (distance(member), *member)).min()?;
        // Two slips in a long name, one in a short one, none in `Id`.
        (distance <= 2 && distance <= member.len() / 3).then_some(member)
    }
}
