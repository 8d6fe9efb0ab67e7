//! An order Id belongs to the company that stored it first (D49).

use sales_order_intake_service::Token;
use serde_json::{Value, json};

use crate::client::Client;
use crate::database::Database;
use crate::server_process::{RegistryFile, ServerProcess};
use crate::test_server::{INTEGRATOR, new_id, order, registry, v3};

#[tokio::test]
async fn another_company_gets_the_same_409_as_the_first_and_only_the_operator_sees_the_difference() {
    let (first, second) = (Token::new_random().unwrap(), Token::new_random().unwrap());
    let tokens = format!(
        r#", {{ name = "second", sha256 = "{}", integrators = ["{INTEGRATOR}"], companies = [1502] }}]"#,
        second.hash()
    );
    let registry = registry(&first);
    let registry = registry.trim_end().strip_suffix(']').unwrap().to_owned() + &tokens;
    let registry = RegistryFile::with("two-companies", first, &registry);
    let database = Database::new().await;
    let service = ServerProcess::start(&registry, &database, &["--log", "warn"]).await;
    let other = Client::new(service.address, second.reveal());

    let id = new_id();
    let created = service.client.put(&v3(id), &[], order(id).to_string()).await;
    assert_eq!(created.status, 201);
    let in_company = |company: u32, entity: u32| -> Value {
        let mut order = order(id);
        order["CompanyId"] = json!(company);
        order["EntityId"] = json!(entity);
        order
    };
    let mut changed = in_company(1501, 2301);
    changed["IsDelivery"] = json!(true);
    let own = service.client.put(&v3(id), &[], changed.to_string()).await;
    own.is_problem(409, "conflict");
    // The same order except for the company, a different order, and the stored body.
    let mut copied = created.json();
    (copied["CompanyId"], copied["EntityId"]) = (json!(1502), json!(2304));
    let mut different = in_company(1502, 2304);
    different["IsDelivery"] = json!(true);
    for body in [in_company(1502, 2304), different, copied] {
        let foreign = other.put(&v3(id), &[], body.to_string()).await;
        assert_eq!((foreign.status, &foreign.body), (409, &own.body));
        let names = |headers: &axum::http::HeaderMap| headers.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&foreign.headers), names(&own.headers));
    }
    let again = service.client.put(&v3(id), &[], order(id).to_string()).await;
    assert_eq!((again.status, again.body), (200, created.body));
    let log = service.terminate().await;
    let warning = "another company has stored an order with this id";
    let lines: Vec<_> = log.lines().filter(|line| line.contains(warning)).collect();
    assert_eq!(lines.len(), 3, "{log}");
    for detail in [&id.to_string(), "\"company\":1502", "\"stored\":1501"] {
        assert!(lines[0].contains(detail), "{detail}: {}", lines[0]);
    }
}
