//! Rounding modes (D18).

use std::cmp::Ordering;

use crate::closed_set::closed_set;

closed_set! {
    /// How half a unit of the last digit is rounded (D18).
    ///
    /// ```
    /// use sales_order_intake::Rounding;
    ///
    /// assert_eq!("half-even".parse(), Ok(Rounding::HalfEven));
    /// assert_eq!(Rounding::default().to_string(), "half-up");
    /// assert!("half_even".parse::<Rounding>().is_err());
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Rounding {
        /// Away from zero: 0.005 → 0.01.
        #[default]
        HalfUp = "half-up",
        /// To the even neighbour: 0.005 → 0.00, 0.015 → 0.02.
        HalfEven = "half-even",
        /// Toward zero: 0.005 → 0.00.
        HalfDown = "half-down",
    }
}

impl Rounding {
    /// Returns true if a value is rounded up, given how its remainder compares to half a unit.
    pub(super) fn rounds_up(self, remainder_to_half: Ordering, is_odd: bool) -> bool {
        match remainder_to_half {
            Ordering::Greater => true,
            Ordering::Less => false,
            Ordering::Equal => match self {
                Self::HalfUp => true,
                Self::HalfEven => is_odd,
                Self::HalfDown => false,
            },
        }
    }
}
