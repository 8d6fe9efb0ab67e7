//! The shape of each record: its members with their types, and what a caller meant who wrote another name (§2, D25).

use crate::json::written;
use crate::words::joined;

/// The members of one record.
pub(crate) struct Shape {
    /// In the order of the specification.
    pub(crate) members: &'static [MemberShape],
    /// False where only the sibling operations show the shape: members beyond it are kept without a word (D10, D13).
    pub(crate) shown: bool,
}

/// One member of a record.
pub(crate) struct MemberShape {
    pub(crate) name: &'static str,
    /// The name as JSON has it, with the colon behind it.
    pub(crate) written: &'static str,
    pub(crate) kind: Kind,
    /// Whether null may stand for "no value".
    pub(crate) nullable: bool,
    /// Filled by the service, never sent (§2.1 rule 4, D22).
    pub(crate) read_only: bool,
}

/// The type of a member.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Guid,
    Integer,
    Boolean,
    Text,
    /// ISO 8601 (D41).
    Date,
    Decimal,
    /// A number or text, passed through untouched (D14).
    ValueType,
    Record(&'static Shape),
    List(&'static Shape),
}

impl MemberShape {
    const fn new(name: &'static str, written: &'static str, kind: Kind) -> Self {
        Self { name, written, kind, nullable: false, read_only: false }
    }

    const fn nullable(self) -> Self {
        Self { nullable: true, ..self }
    }

    const fn read_only(self) -> Self {
        Self { read_only: true, ..self }
    }
}

/// A shape, and a constant for the position of each member.
macro_rules! shape {
    ($shape:ident, $positions:ident, shown: $shown:literal, $($position:ident: $name:literal $kind:expr $(, $flag:ident)*;)*) => {
        pub(crate) static $shape: Shape =
            Shape { members: &[$(MemberShape::new($name, written!($name), $kind)$(.$flag())*),*], shown: $shown };

        #[doc = concat!("Positions of the members of [`", stringify!($shape), "`](super::", stringify!($shape), ").")]
        pub(crate) mod $positions {
            shape! { from 0; $($position)* }
        }
    };
    (from $number:expr;) => {};
    (from $number:expr; $position:ident $($more:ident)*) => {
        pub(crate) const $position: usize = $number;
        shape! { from $number + 1; $($more)* }
    };
}

shape! { ORDER, order, shown: true,
    ID: "Id" Kind::Guid;
    COMPANY_ID: "CompanyId" Kind::Integer;
    ENTITY_ID: "EntityId" Kind::Integer;
    WAS_CREATED_WITH_INVENTORY_HOLD: "WasCreatedWithInventoryHold" Kind::Boolean, read_only;
    FIRST_NAME: "FirstName" Kind::Text, nullable;
    LAST_NAME: "LastName" Kind::Text, nullable;
    CUSTOMER_ID: "CustomerId" Kind::Guid, nullable;
    DATE_CREATED_UTC: "DateCreatedUtc" Kind::Date, read_only;
    ORDER_SOURCE: "OrderSource" Kind::Record(&SOURCE), read_only;
    ORDER_NUMBER: "OrderNumber" Kind::Text;
    INTEGRATOR_ID: "IntegratorId" Kind::Guid;
    ITEMS: "Items" Kind::List(&ITEM);
    DISCOUNT: "Discount" Kind::Record(&DISCOUNT), nullable;
    IS_DELIVERY: "IsDelivery" Kind::Boolean;
    RECEIPT_NUMBER: "ReceiptNumber" Kind::Text, read_only;
    EXTERNAL_ORDER_ID: "ExternalOrderId" Kind::Text;
    TAXES: "Taxes" Kind::List(&TAX), nullable;
    NOTES: "Notes" Kind::Text;
    TIME_SLOT_DISPLAY_STRING: "TimeSlotDisplayString" Kind::Text;
}

shape! { SOURCE, source, shown: true,
    ID: "Id" Kind::Guid;
    NAME: "Name" Kind::Text;
}

shape! { ITEM, item, shown: true,
    NAME: "Name" Kind::Text;
    CATALOG_ITEM_ID: "CatalogItemId" Kind::Guid;
    QUANTITY: "Quantity" Kind::Decimal;
    SELL_AT_PRICE_PER_UNIT: "SellAtPricePerUnit" Kind::Decimal;
    PACKAGE_ID: "PackageId" Kind::Text;
    BATCH: "Batch" Kind::Text;
}

shape! { DISCOUNT, discount, shown: false,
    INVOICE_LEVEL: "InvoiceLevel" Kind::List(&DISCOUNT_ENTRY), nullable;
}

shape! { DISCOUNT_ENTRY, discount_entry, shown: false,
    NAME: "Name" Kind::Text;
    VALUE: "Value" Kind::Decimal;
    VALUE_TYPE: "ValueType" Kind::ValueType;
}

shape! { TAX, tax, shown: false,
    TAX_ID: "TaxId" Kind::Guid;
    TAX_AMOUNT: "TaxAmount" Kind::Decimal;
}

/// Members of the line-level pricing operations, which integrators carry over (§1, D25).
const LINE_LEVEL: [&str; 2] = ["Lines", "LineDollarAmount"];

/// The member of any record with this name in another case, as it is spelt.
pub(crate) fn spelt(name: &str) -> Option<&'static str> {
    let member = |shape: &&'static Shape| shape.member(shape.find(name, true, 0)?);
    [&ORDER, &ITEM, &TAX, &DISCOUNT, &DISCOUNT_ENTRY].iter().find_map(member).map(|member| member.name)
}

impl Shape {
    pub(crate) fn member(&self, position: usize) -> Option<&'static MemberShape> {
        self.members.get(position)
    }

    /// The position of the member of this name; in a response the case may be any (D26).
    ///
    /// Looks at `likely` first: members mostly stand in the order of the specification.
    pub(crate) fn find(&self, name: &str, any_case: bool, likely: usize) -> Option<usize> {
        let same =
            |member: &MemberShape| member.name == name || any_case && member.name.eq_ignore_ascii_case(name);
        if self.members.get(likely).is_some_and(same) {
            return Some(likely);
        }
        self.members.iter().position(same)
    }

    pub(crate) fn is_line_level(&self, name: &str) -> bool {
        self.shown && LINE_LEVEL.iter().any(|line_level| line_level.eq_ignore_ascii_case(name))
    }

    /// Whether a name that the record does not have is worth a word, and what it may have been meant for.
    pub(crate) fn unknown_member_hint(&self, name: &str) -> Option<Option<String>> {
        let meant = self.meant_by(name);
        let said = self.shown || meant.is_some_and(|meant| meant.eq_ignore_ascii_case(name));
        said.then(|| meant.map(|meant| joined(&["did you mean ", meant, "?"])))
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
        let members = self.members.iter().map(|member| member.name);
        let (distance, member) = members.map(|member| (distance(member), member)).min()?;
        // Two slips in a long name, one in a short one, none in `Id`.
        (distance <= 2 && distance <= member.len() / 3).then_some(member)
    }
}
