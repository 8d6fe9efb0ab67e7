//! The open connections: limits their number, also per remote address, and chooses which to close when there are too many.
//!
//! Connections without a token are closed first, those that wait for a request before the others, and the longest silent
//! one before the rest. A connection that has sent a valid token is closed only while it waits for a request.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::{AbortHandle, Id, JoinSet};
use tokio::time::timeout;

use super::activity::{Activity, Phase};
use super::connection::Ending;
use super::metrics::{ClosedReason, Metrics};
use super::settings::Limits;

/// The time in which a new connection is not closed for another, so that it can send its first request.
const FIRST_REQUEST_TIME: Duration = Duration::from_millis(250);

/// The time after a request in which a connection with a token is not closed for another.
const NEXT_REQUEST_TIME: Duration = Duration::from_secs(1);

/// How often the warning about too many connections is logged at most.
const WARNING_INTERVAL: Duration = Duration::from_secs(60);

/// The time for stopped connections to end.
const ABORT_TIME: Duration = Duration::from_millis(200);

pub(super) struct Connections {
    tasks: JoinSet<()>,
    open: HashMap<Id, Open>,
    limits: Limits,
    metrics: Arc<Metrics>,
    warned: Option<Instant>,
}

struct Open {
    address: Address,
    activity: Arc<Activity>,
    ending: watch::Sender<Ending>,
    task: AbortHandle,
}

/// The part of a remote address that identifies a client: for IPv6, the /64 network.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Address {
    V4([u8; 4]),
    V6([u8; 8]),
}

/// Whether a new connection is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Admission {
    Accepted,
    /// There are too many connections; try again soon.
    Wait,
    /// Its address has too many connections, and all are in use.
    Refused,
}

impl Connections {
    pub(super) fn new(limits: Limits, metrics: Arc<Metrics>) -> Self {
        Self { tasks: JoinSet::new(), open: HashMap::new(), limits, metrics, warned: None }
    }

    /// Decides whether to serve a connection from this address. Closes another connection if necessary.
    pub(super) fn admit(&mut self, address: IpAddr) -> Admission {
        let address = Address::from(address);
        let from_address = || self.open.values().filter(|open| open.address == address).count();
        let limit = self.limits.connections_per_address;
        if limit < self.limits.connections
            && from_address() >= limit
            && !self.close_one(ClosedReason::Address, |open| open.address == address)
        {
            self.metrics.count_closed(ClosedReason::Address);
            return Admission::Refused;
        }
        if self.open.len() >= self.limits.connections {
            self.make_room();
        }
        // Closed connections count until their tasks have ended.
        if self.tasks.len() < self.limits.connections { Admission::Accepted } else { Admission::Wait }
    }

    /// Closes a connection to make room for another. Returns false if there is none that may be closed.
    pub(super) fn make_room(&mut self) -> bool {
        let now = Instant::now();
        if self.warned.is_none_or(|warned| now - warned >= WARNING_INTERVAL) {
            self.warned = Some(now);
            tracing::warn!(
                connections = self.open.len(),
                "too many connections: closing idle ones and those without a token"
            );
        }
        self.close_one(ClosedReason::Capacity, |_| true)
    }

    /// Serves a connection. `serve` gets the receiver that requests its end.
    pub(super) fn open<F: Future<Output = ()> + Send + 'static>(
        &mut self,
        address: IpAddr,
        serve: impl FnOnce(Arc<Activity>, watch::Receiver<Ending>) -> F,
    ) {
        let activity = Arc::new(Activity::new());
        let (ending, receiver) = watch::channel(Ending::No);
        let task = self.tasks.spawn(serve(Arc::clone(&activity), receiver));
        let open = Open { address: address.into(), activity, ending, task: task.clone() };
        self.open.insert(task.id(), open);
        self.metrics.set_connections(self.tasks.len());
    }

    /// Waits until a connection ends, even by a panic; waits forever if no connection is open.
    pub(super) async fn ended(&mut self) {
        match self.tasks.join_next_with_id().await {
            Some(ended) => {
                let id = ended.map_or_else(|error| error.id(), |(id, ())| id);
                self.open.remove(&id);
                self.metrics.set_connections(self.tasks.len());
            }
            None => std::future::pending().await,
        }
    }

    /// Finishes running requests for at most this time, then closes all connections.
    pub(super) async fn shut_down(mut self, grace: Duration) {
        tracing::info!(connections = self.open.len(), "stopping");
        for open in self.open.values() {
            open.ending.send_replace(Ending::AfterRequests);
        }
        let all = async { while self.tasks.join_next().await.is_some() {} };
        if timeout(grace, all).await.is_err() {
            let requests: usize = self.open.values().map(|open| open.activity.handling()).sum();
            tracing::warn!(connections = self.tasks.len(), requests, "stopped before these were finished");
            // Dropping the requests logs each of them.
            if timeout(ABORT_TIME, self.tasks.shutdown()).await.is_err() {
                tracing::warn!("some connections did not end");
            }
        }
        self.metrics.set_connections(0);
    }

    /// Closes the connection that is needed least. Returns false if there is none that may be closed.
    fn close_one(&mut self, reason: ClosedReason, among: impl Fn(&Open) -> bool) -> bool {
        let now = Instant::now();
        let candidates = self.open.iter().filter(|(_, open)| among(open));
        let least =
            candidates.filter_map(|(id, open)| Some((open.need(now)?, *id))).min_by_key(|(need, _)| *need);
        let Some((need, id)) = least else { return false };
        if need.authenticated {
            if let Some(open) = self.open.get(&id) {
                open.ending.send_replace(Ending::Soon);
            }
        } else if let Some(open) = self.open.remove(&id) {
            open.task.abort();
        }
        self.metrics.count_closed(reason);
        true
    }
}

/// How much a connection is needed: the smallest is closed first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Need {
    authenticated: bool,
    busy: bool,
    changed: Instant,
}

impl Open {
    /// Returns `None` if the connection must not be closed, or is about to end anyway.
    fn need(&self, now: Instant) -> Option<Need> {
        let (authenticated, changed) = (self.activity.is_authenticated(), self.activity.changed());
        let quiet = now.saturating_duration_since(changed);
        let busy = matches!(self.activity.phase(), Phase::Handling | Phase::Responding);
        let may_close = if authenticated {
            !busy && quiet >= NEXT_REQUEST_TIME
        } else {
            self.activity.phase() != Phase::New || quiet >= FIRST_REQUEST_TIME
        };
        let ending = *self.ending.borrow() != Ending::No;
        (may_close && !ending).then_some(Need { authenticated, busy, changed })
    }
}

impl From<IpAddr> for Address {
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::V4(address.octets()),
            IpAddr::V6(address) => {
                let [a, b, c, d, e, f, g, h, ..] = address.octets();
                Self::V6([a, b, c, d, e, f, g, h])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::sync::Arc;
    use std::time::Duration;

    use super::{Address, Admission, Connections};
    use crate::activity::Handling;
    use crate::metrics::Metrics;
    use crate::settings::Limits;
    use crate::store::StoreCounters;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn addresses_of_one_client_are_the_same() {
        let same = |one: &str, two: &str| Address::from(address(one)) == Address::from(address(two));
        assert!(same("::ffff:192.0.2.1", "192.0.2.1"));
        assert!(same("2001:db8::1", "2001:db8::ffff"));
        assert!(!same("2001:db8::1", "2001:db8:0:1::1"));
        assert!(!same("192.0.2.1", "192.0.2.2"));
    }

    #[tokio::test]
    async fn the_longest_silent_connection_without_a_token_is_closed_first() {
        let limits = Limits { connections: 3, ..Limits::default() };
        let mut connections = Connections::new(limits, Arc::new(Metrics::new(&StoreCounters::default())));
        let mut activities = Vec::new();
        for authenticated in [true, false, false] {
            connections.open(address("192.0.2.1"), |activity, _| {
                drop(Handling::start(&activity));
                if authenticated {
                    activity.authenticate();
                }
                activities.push(Arc::downgrade(&activity));
                async move {
                    let _activity = activity;
                    std::future::pending().await
                }
            });
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        let open = |index: usize| activities[index].strong_count() > 0;
        for closed in [1, 2] {
            assert!(open(closed));
            // The closed connection counts until its task has ended.
            assert_eq!(connections.admit(address("192.0.2.2")), Admission::Wait);
            connections.ended().await;
            assert!(!open(closed));
            assert_eq!(connections.admit(address("192.0.2.2")), Admission::Accepted);
            connections.open(address("192.0.2.2"), |_, _| std::future::pending());
        }
        assert!(open(0));
    }

    #[tokio::test]
    async fn a_connection_that_panics_is_not_counted_any_more() {
        let metrics = Arc::new(Metrics::new(&StoreCounters::default()));
        let mut connections = Connections::new(Limits::default(), Arc::clone(&metrics));
        connections.open(address("192.0.2.1"), |_, _| async { panic!("expected by this test") });
        assert!(metrics.encode().contains("sales_order_intake_connections 1\n"));
        connections.ended().await;
        assert!(metrics.encode().contains("sales_order_intake_connections 0\n"));
        assert!(connections.open.is_empty());
    }
}
