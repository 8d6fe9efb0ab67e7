//! Waits for conditions. The limit only catches a hang: no test depends on how long something takes.

use std::time::{Duration, Instant};

use tokio::time::{sleep, timeout};

const LIMIT: Duration = Duration::from_secs(60);

/// Waits for a future. Panics with the name of what was waited for if it hangs.
pub(crate) async fn within_limit<F: Future>(what: &str, future: F) -> F::Output {
    let result = timeout(LIMIT, future).await;
    result.unwrap_or_else(|_| panic!("waited {LIMIT:?} for {what}"))
}

/// Asks again and again until the condition holds. Panics with the name of the condition if it never does.
pub(crate) async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let started = Instant::now();
    while !holds().await {
        assert!(started.elapsed() < LIMIT, "waited {LIMIT:?} until {what}");
        sleep(Duration::from_millis(5)).await;
    }
}
