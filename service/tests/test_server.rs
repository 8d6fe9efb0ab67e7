//! A service in the process of the test, and orders for it.

use std::net::SocketAddr;
use std::time::Duration;

use sales_order_intake::Guid;
use sales_order_intake_service::{Limits, Registry, RunError, Server, Settings, Token};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::client::Client;
use super::database::Database;
use super::waiting::within_limit;

/// The seconds of a time limit that no test reaches.
pub(crate) const PATIENCE: u64 = 600;

pub(crate) const INTEGRATOR: &str = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

/// A running service on a free port.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    pub(crate) client: Client,
    pub(crate) database: Database,
    stop: oneshot::Sender<()>,
    served: JoinHandle<Result<(), RunError>>,
}

/// Returns the default settings with time limits that no test reaches: the service closes a connection only
/// because of what the test does.
pub(crate) fn settings() -> Settings {
    let time = Duration::from_secs(PATIENCE);
    let limits = Limits { header_time: time, body_time: time, ..Limits::default() };
    Settings { limits, grace: time, ..Settings::default() }
}

/// Returns a registry: company 1501 with an exclusive, an unconfigured and an inclusive location, company
/// 1502, and two integrators. The token covers company 1501 and the first integrator.
pub(crate) fn registry(token: &Token) -> String {
    format!(
        r#"
        companies = [
            {{ id = 1501, name = "Harbour Goods", locations = [
                {{ id = 2301, name = "Harbour Street", tax_pricing = "Exclusive" }},
                {{ id = 2302, name = "Old Mill", inventory_hold = true, tax_rates = [
                    {{ id = "gst", name = "GST", rate = "0.05" }},
                ] }},
                {{ id = 2303, name = "Airport", tax_pricing = "Inclusive" }},
            ] }},
            {{ id = 1502, name = "Hill Goods", locations = [{{ id = 2304, name = "Hill Top" }}] }},
        ]
        integrators = [
            {{ id = "{INTEGRATOR}", name = "Storefront" }},
            {{ id = "11111111-2222-4333-8444-555555555555", name = "Kiosk" }},
        ]
        tokens = [{{ name = "test", sha256 = "{}", integrators = ["{INTEGRATOR}"], companies = [1501] }}]
        "#,
        token.hash()
    )
}

impl TestServer {
    pub(crate) async fn new() -> Self {
        Self::with(settings()).await
    }

    pub(crate) async fn with(settings: Settings) -> Self {
        let token = Token::new_random().expect("a random source");
        let registry = registry(&token);
        Self::with_registry(settings, &registry, &token, Database::new().await).await
    }

    pub(crate) async fn with_registry(
        settings: Settings,
        registry: &str,
        token: &Token,
        database: Database,
    ) -> Self {
        let registry = Registry::parse(registry).unwrap_or_else(|error| panic!("{error}"));
        let settings = Settings {
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            database: database.url.clone(),
            ..settings
        };
        let server = Server::start(&settings, registry).await.expect("a service");
        let address = server.address().expect("an address");
        let (stop, stopped) = oneshot::channel::<()>();
        let served = tokio::spawn(server.run(async {
            // The service also stops if the sender is dropped.
            let _ = stopped.await;
        }));
        Self { address, client: Client::new(address, token.reveal()), database, stop, served }
    }

    /// Stops the service and waits for it.
    pub(crate) async fn stop(self) -> Database {
        self.stop.send(()).expect("it runs");
        let served = within_limit("the service to stop", self.served).await;
        served.expect("no panic").expect("it could store orders");
        self.database
    }
}

/// Returns a minimal order without issues.
pub(crate) fn order(id: Guid) -> Value {
    json!({
        "Id": id.to_string(), "CompanyId": 1501, "EntityId": 2301, "IntegratorId": INTEGRATOR,
        "Items": [{
            "Name": "Pre-roll", "CatalogItemId": "c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e",
            "Quantity": 1, "SellAtPricePerUnit": 10,
        }],
    })
}

pub(crate) fn new_id() -> Guid {
    Guid::new_random().expect("a random source")
}

pub(crate) fn v3(id: Guid) -> String {
    format!("/v3/ServiceOrder({id})")
}
