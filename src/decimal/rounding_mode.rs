//! Rounding modes (D18).

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
