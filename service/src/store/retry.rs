//! Errors of PostgreSQL: those after which a commit is repeated, those after which it never succeeds, and the
//! pauses between the attempts.

use std::time::Duration;

/// The maximum number of attempts. Together, their pauses take a quarter of a second.
const MAX_ATTEMPTS: u32 = 12;

/// Returns why the statement is repeated, or `None` if that cannot help.
pub(super) fn reason(error: &sqlx::Error) -> Option<&'static str> {
    let error = error.as_database_error()?;
    match (error.code()?.as_ref(), error.constraint()) {
        // The next attempt finds it.
        ("23505", Some("orders_pkey")) => Some("another process stored one of the ids"),
        // Two processes that store the same ids at several locations waited for each other. PostgreSQL failed
        // one of them.
        ("40P01", _) => Some("deadlock"),
        // The server runs all transactions as serializable.
        ("40001", _) => Some("not serializable"),
        _ => None,
    }
}

/// Returns true if the values of an order are the cause, so that the same order would fail again.
pub(super) fn is_permanent(error: &sqlx::Error) -> bool {
    // Data exceptions, violated constraints, exceeded limits, and errors raised by triggers.
    has_class(error, &["22", "23", "54", "P0"]) && reason(error).is_none()
}

/// Returns true if the code of a database error begins with one of these classes.
pub(super) fn has_class(error: &sqlx::Error, classes: &[&str]) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    code.is_some_and(|code| classes.iter().any(|class| code.starts_with(class)))
}

/// Returns the pause after a failed attempt, counted from 1, or `None` after the last.
pub(super) fn pause(attempt: u32) -> Option<Duration> {
    (attempt < MAX_ATTEMPTS).then(|| match attempt {
        0..=3 => Duration::ZERO,
        _ => Duration::from_millis(1 << (attempt - 3).min(6)),
    })
}

#[cfg(test)]
mod tests {
    use super::pause;

    #[test]
    fn attempts_are_limited_and_their_pauses_grow() {
        let pauses: Vec<_> = (1..).map_while(pause).map(|pause| pause.as_millis()).collect();
        assert_eq!(pauses, [0, 0, 0, 2, 4, 8, 16, 32, 64, 64, 64]);
    }
}
