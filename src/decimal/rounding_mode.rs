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

/// A value for each rounding mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PerRounding<T> {
    half_up: T,
    half_even: T,
    half_down: T,
}

impl<T> PerRounding<T> {
    /// Returns the same value for every mode.
    pub(crate) fn all(value: T) -> Self
    where
        T: Copy,
    {
        Self { half_up: value, half_even: value, half_down: value }
    }

    pub(crate) fn get(&self, mode: Rounding) -> &T {
        match mode {
            Rounding::HalfUp => &self.half_up,
            Rounding::HalfEven => &self.half_even,
            Rounding::HalfDown => &self.half_down,
        }
    }

    /// Returns the values with their modes, to change them.
    pub(crate) fn each_mut(&mut self) -> [(Rounding, &mut T); 3] {
        let Self { half_up, half_even, half_down } = self;
        [(Rounding::HalfUp, half_up), (Rounding::HalfEven, half_even), (Rounding::HalfDown, half_down)]
    }
}
