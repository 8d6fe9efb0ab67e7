//! Tests the fates in the table of replies. Its other columns are tested by client, outbox and command line.
//!
//! More than 300 lines, because it makes the replies, too.

use serde_json::{Map, Value, json};

use crate::api::prepare_request;
use crate::issue::Issue;
use crate::options::RuleOptions;

use super::*;

const ID: &str = "2a8f5d33-eec9-4864-8b49-5636577b40d5";

fn order() -> Value {
    json!({
        "Id": ID, "CompanyId": 1000, "EntityId": 2000, "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50",
        "Items": [{
            "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": 19.99
        }]
    })
}

fn request() -> PreparedRequest {
    prepare_request(&*order().to_string(), &RuleOptions::default()).unwrap()
}

fn rows() -> Vec<Value> {
    let table: Value = serde_json::from_str(include_str!("../../tests/vectors/fates/replies.json")).unwrap();
    table["rows"].as_array().unwrap().clone()
}

/// Returns the body of a reply to the order.
fn body(reply: &Value) -> String {
    let sent = order().to_string();
    if let Some(json) = reply.get("json") {
        return json.to_string().replace("$Id", ID);
    }
    if let Some(changes) = reply.get("order") {
        let mut order = order();
        let members = order.as_object_mut().unwrap();
        for (name, value) in changes.as_object().unwrap() {
            if value == "$remove" {
                members.shift_remove(name);
            } else {
                members.insert(name.clone(), value.clone());
            }
        }
        let is_camel = reply.get("case").is_some();
        return if is_camel { in_camel_case(&order).to_string() } else { order.to_string() };
    }
    if let Some(around) = reply.get("wrapped") {
        return [around[0].as_str().unwrap(), &sent, around[1].as_str().unwrap()].concat();
    }
    if let Some(cut) = reply.get("cut") {
        return start(&sent, sent.len() - usize::try_from(cut.as_u64().unwrap()).unwrap()).to_owned();
    }
    reply.get("body").map_or_else(String::new, |body| body.as_str().unwrap().to_owned())
}

/// Returns the first bytes of an ASCII text.
fn start(text: &str, end: usize) -> &str {
    text.get(..end).unwrap()
}

fn in_camel_case(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let camel = |name: &str| start(name, 1).to_lowercase() + name.trim_start_matches(start(name, 1));
            Value::Object(members.iter().map(|(name, value)| (camel(name), in_camel_case(value))).collect())
        }
        Value::Array(entries) => entries.iter().map(in_camel_case).collect(),
        other => other.clone(),
    }
}

/// Judges a reply of the table.
fn fate_of(reply: &Value, options: &FateOptions) -> Fate {
    if let Some(plays) = reply.get("plays") {
        let reply = if plays == "refusesConnections" { Reply::NotSent } else { Reply::Lost };
        return request().fate(reply, options);
    }
    let mut options = options.clone();
    if reply.get("after").is_some() {
        options.earlier_attempts = EarlierAttempts::Unknown;
    }
    let body = body(reply);
    let mut response = ServiceResponse::new(u16::try_from(reply["status"].as_u64().unwrap()).unwrap(), &body);
    if let Some(media_type) = reply["type"].as_str() {
        response = response.header("Content-Type", media_type);
    }
    for (name, value) in reply.get("headers").and_then(Value::as_object).into_iter().flatten() {
        response = response.header(name, value.as_str().unwrap());
    }
    if reply.get("endsAtClose").is_some() {
        response = response.ends_at_close();
    }
    request().fate(response, &options)
}

/// Describes a fate as the table does.
fn described(fate: &Fate) -> Value {
    let failed = |fate: &str, failure: &Failure| {
        let mut described =
            json!({ "fate": fate, "error": failure.kind.as_str(), "canRepeat": failure.can_repeat });
        if failure.is_suspect {
            described["isSuspect"] = true.into();
        }
        if let Some(state) = failure.relay_state {
            described["relayState"] = state.as_str().into();
        }
        described
    };
    match fate {
        Fate::Created(Created { order, already_there, issues }) => {
            let mut described = Map::from_iter([
                ("fate".to_owned(), "created".into()),
                ("hasOrder".to_owned(), order.is_some().into()),
            ]);
            if *already_there {
                described.insert("alreadyThere".to_owned(), true.into());
            }
            if !issues.is_empty() {
                let short = |issue: &Issue| format!("{} {} {}", issue.severity, issue.code, issue.pointer);
                described.insert("issues".to_owned(), issues.iter().map(short).collect());
            }
            described.into()
        }
        Fate::Accepted(_) => json!({ "fate": "accepted" }),
        Fate::NotCreated(failure) => failed("not-created", failure),
        Fate::Unknown(failure) => failed("unknown", failure),
    }
}

#[test]
fn every_kind_of_reply_has_the_fate_of_the_table() {
    let mut kinds = 0;
    for row in rows() {
        for (title, reply) in row["replies"].as_object().unwrap() {
            kinds += 1;
            assert_eq!(described(&fate_of(reply, &FateOptions::default())), row["fate"], "{title}");
        }
    }
    assert!(kinds > 70, "{kinds} kinds");
}

#[test]
fn after_an_attempt_whose_fate_is_unknown_only_a_relay_can_say_that_the_order_was_not_created() {
    let options = FateOptions { earlier_attempts: EarlierAttempts::Unknown, ..FateOptions::default() };
    for row in rows() {
        for (title, reply) in row["replies"].as_object().unwrap() {
            match fate_of(reply, &options) {
                Fate::Created(created) => assert!(!created.already_there, "{title}: an attempt of its own"),
                Fate::NotCreated(failure) => assert!(failure.relay_state.is_some(), "{title}: {failure}"),
                Fate::Accepted(_) | Fate::Unknown(_) => {}
            }
        }
    }
}

#[test]
fn a_failure_says_what_came_and_nothing_of_the_order() {
    let rows = rows();
    let all = rows.iter().flat_map(|row| row["replies"].as_object().unwrap());
    for (title, reply) in all {
        if let Fate::NotCreated(failure) | Fate::Unknown(failure) = fate_of(reply, &FateOptions::default()) {
            let texts = format!("{failure} {failure:?}");
            for secret in [ID, "Tea", "19.99", "The test refuses", "No such product", "LOCATION_CLOSED"] {
                assert!(!texts.contains(secret), "{title}: {texts}");
            }
            assert_eq!(failure.status.map(u64::from), reply["status"].as_u64(), "{title}");
        }
    }
    let unproven =
        fate_of(&json!({ "status": 200, "type": "text/html", "body": "<p>" }), &FateOptions::default());
    let Fate::Unknown(failure) = unproven else { panic!("{unproven:?}") };
    let said =
        "The service responded with 200 and text/html, which does not prove that the order was created";
    assert_eq!(failure.to_string(), said);
}

#[test]
fn a_wait_that_the_service_asks_for_is_read_and_named() {
    let body = r#"{"Message":"slow down"}"#;
    let response = ServiceResponse::new(429, body).header("RETRY-AFTER", "1.25");
    let Fate::NotCreated(failure) = request().fate(response, &FateOptions::default()) else {
        panic!("a 429")
    };
    assert_eq!(failure.retry_after, Some(Duration::from_millis(1250)));
    assert_eq!(failure.to_string(), "The service limits the rate of requests (429) and asks to wait 1.3 s");
    assert_eq!(failure.detail.as_deref(), Some("slow down"));
}

#[test]
fn with_proof_id_the_id_is_enough_in_a_200_or_201() {
    let options = FateOptions { proof: Proof::Id, ..FateOptions::default() };
    let id = json!({ "id": format!("{{{}}}", ID.to_uppercase()), "status": "queued" });
    for (status, is_created) in [(200, true), (201, true), (202, false), (206, false)] {
        let fate = fate_of(&json!({ "status": status, "type": "application/json", "json": id }), &options);
        assert_eq!(matches!(fate, Fate::Created(_)), is_created, "{status}: {fate:?}");
    }
    let other = json!({ "status": 201, "json": { "Id": "ffffffff-0000-4000-8000-000000000000" } });
    assert!(matches!(fate_of(&other, &options), Fate::Unknown(_)));
}

#[test]
fn with_accept_empty_body_a_200_without_a_body_proves_creation_and_nothing_else_does() {
    let options = FateOptions { accept_empty_body: true, ..FateOptions::default() };
    for (status, is_created) in
        [(200, true), (201, true), (202, false), (203, false), (204, true), (205, false), (299, false)]
    {
        let fate = fate_of(&json!({ "status": status }), &options);
        let created = matches!(fate, Fate::Created(Created { order: None, already_there: false, .. }));
        assert_eq!(created, is_created, "{status}: {fate:?}");
        assert!(is_created || matches!(fate, Fate::Unknown(_)), "{status}: {fate:?}");
    }
    assert!(matches!(fate_of(&json!({ "status": 200, "json": {} }), &options), Fate::Unknown(_)));
    assert!(matches!(fate_of(&json!({ "status": 404 }), &options), Fate::NotCreated(_)));
    for status in [200, 201] {
        let cut = json!({ "status": status, "endsAtClose": true });
        assert!(matches!(fate_of(&cut, &options), Fate::Unknown(_)), "{status}");
    }
}

/// Returns the sentence about a failure.
fn problem_of(reply: &Value) -> String {
    match fate_of(reply, &FateOptions::default()) {
        Fate::NotCreated(failure) | Fate::Unknown(failure) => failure.to_string(),
        fate => panic!("{fate:?}"),
    }
}

#[test]
fn a_response_that_proves_nothing_says_what_it_lacks() {
    let sent = order().to_string();
    let json = |body: String| json!({ "status": 201, "type": "application/json", "body": body });
    let order = |members: Value| json!({ "status": 201, "type": "application/json", "order": members });
    let without_id = sent.replace("\"Id\"", "\"Key\"");
    for (reply, lack) in [
        (order(json!({ "Items": {} })), "Items is not an array"),
        (order(json!({ "Items": "$remove" })), "Items is missing"),
        (order(json!({ "Items": null })), "Items is missing"),
        (order(json!({ "CompanyId": "$remove" })), "CompanyId is missing"),
        (order(json!({ "EntityId": null })), "EntityId is missing"),
        (order(json!({ "Id": 7 })), "Id is not a GUID"),
        (order(json!({ "iD": "ffffffff-0000-4000-8000-000000000000" })), "Id appears more than once"),
        (order(json!({ "entityid": 7 })), "EntityId appears more than once"),
        (json(without_id), "Id is missing"),
        (json("[1]".to_owned()), "the body is not an object"),
        (json(format!("[{sent}]")), "the body is not an object"),
        (json(sent.replace("19.99", "NaN")), "the body is not JSON: unexpected NaN"),
        (json(sent.replace("19.99", "-Infinity")), "the body is not JSON: unexpected Infinity"),
        (json(sent.replace("19.99", "undefined")), "the body is not JSON: unexpected undefined"),
        (json(start(&sent, 40).to_owned()), "the body is not JSON: unexpected end"),
        (json(format!("{sent} and Jane Roe")), "the body is not JSON: expected the end of the JSON"),
        (json("Jane Roe".to_owned()), "the body is not JSON: expected a value"),
        (json!({ "status": 202 }), "a 202 accepts an order, and says nothing of its fate"),
        (
            json!({ "status": 202, "type": "application/json", "order": {} }),
            "a 202 accepts an order, and says nothing of its fate",
        ),
        (
            json!({ "status": 206, "type": "application/json", "order": {} }),
            "only a 200 or 201 with the order does",
        ),
    ] {
        let problem = problem_of(&reply);
        assert_eq!(
            problem.rsplit_once("that the order was created: ").map(|(_, lack)| lack),
            Some(lack),
            "{problem}"
        );
    }
}

#[test]
fn members_that_are_repeated_with_the_same_value_prove_the_order() {
    for members in [
        json!({ "id": ID.to_uppercase() }),
        json!({ "companyId": "1000", "ENTITYID": 2000.0 }),
        json!({ "id": null, "companyid": null }),
    ] {
        let reply = json!({ "status": 201, "type": "application/json", "order": members });
        assert!(matches!(fate_of(&reply, &FateOptions::default()), Fate::Created(_)), "{members}");
    }
}

#[test]
fn any_4xx_but_401_can_be_repeated_if_it_asks_to_come_back() {
    let repeated = |status: u16, wait: &str| {
        let reply = json!({ "status": status, "headers": { "Retry-After": wait } });
        let Fate::NotCreated(failure) = fate_of(&reply, &FateOptions::default()) else { panic!("{status}") };
        (failure.can_repeat, failure.retry_after)
    };
    for status in (400..500).filter(|status| !matches!(status, 401 | 408 | 460 | 499)) {
        assert_eq!(repeated(status, "7"), (true, Some(Duration::from_secs(7))), "{status}");
        assert_eq!(repeated(status, "0"), (true, None), "{status}");
        let always = matches!(status, 425 | 429);
        assert_eq!(repeated(status, "tomorrow"), (always, None), "{status}");
    }
    assert_eq!(repeated(401, "7"), (false, Some(Duration::from_secs(7))));
}

#[test]
fn a_409_after_an_unknown_attempt_says_that_it_may_be_about_that_attempt() {
    let reply = |headers: Value| json!({ "status": 409, "json": { "Message": "no" }, "headers": headers, "after": "" });
    assert_eq!(
        problem_of(&reply(json!({ "Retry-After": "1" }))),
        "The service already has an order with this Id (409) and asks to wait 1 s; an earlier attempt may have stored it, \
         or still be in progress"
    );
    let first = |headers: Value| json!({ "status": 409, "json": { "Message": "no" }, "headers": headers });
    assert_eq!(problem_of(&first(json!({}))), "The service already has an order with this Id (409)");
    assert_eq!(
        problem_of(&first(json!({ "Retry-After": "1" }))),
        "The service already has an order with this Id (409) and asks to wait 1 s"
    );
}

#[test]
fn numbers_may_be_printed_otherwise_and_an_integrator_that_cannot_be_read_is_not_given() {
    for changes in [
        json!({ "CompanyId": "1000" }),
        json!({ "EntityId": 2000.0 }),
        json!({ "IntegratorId": "" }),
        json!({ "IntegratorId": "00000000-0000-0000-0000-000000000000" }),
    ] {
        let reply = json!({ "status": 201, "type": "application/json", "order": changes });
        assert!(matches!(fate_of(&reply, &FateOptions::default()), Fate::Created(_)), "{changes}");
    }
    let other = json!({ "status": 201, "type": "application/json", "order": { "CompanyId": "1001" } });
    assert!(matches!(fate_of(&other, &FateOptions::default()), Fate::Unknown(_)));
}

#[test]
fn the_order_itself_proves_more_than_a_state_beside_it() {
    for state in ["waiting", "cancelled"] {
        let changes = json!({ "orderId": ID, "state": state, "outcome": "not-created" });
        let headers = json!({ "Location": "/orders/1" });
        let reply =
            json!({ "status": 201, "type": "application/json", "order": changes, "headers": headers });
        assert!(matches!(fate_of(&reply, &FateOptions::default()), Fate::Created(_)), "{state}");
    }
}

#[test]
fn what_a_relay_says_holds_for_earlier_attempts_unless_the_service_had_another_order_with_the_id() {
    let options = FateOptions { earlier_attempts: EarlierAttempts::Unknown, ..FateOptions::default() };
    let fate = |status: u16, outcome: &str| {
        let json = json!({ "orderId": ID, "state": "refused", "outcome": outcome, "status": status });
        let headers = json!({ "Location": "/orders/1" });
        fate_of(
            &json!({ "status": status, "type": "application/json", "json": json, "headers": headers }),
            &options,
        )
    };
    assert!(matches!(fate(422, "not-created"), Fate::NotCreated(_)));
    assert!(matches!(fate(409, "not-created"), Fate::Unknown(_)));
    assert!(matches!(fate(422, "unknown"), Fate::Unknown(_)));
}

#[test]
fn a_state_counts_only_if_it_is_that_of_this_order_and_has_a_location() {
    let state = |id: &str, headers: Value| {
        let json = json!({ "orderId": id, "state": "refused", "outcome": "not-created" });
        let reply = json!({ "status": 200, "type": "application/json", "json": json, "headers": headers });
        described(&fate_of(&reply, &FateOptions::default()))
    };
    let location = json!({ "Location": "/orders/1" });
    assert_eq!(state(ID, location.clone())["relayState"], "refused");
    assert_eq!(state("ffffffff-0000-4000-8000-000000000000", location)["error"], "UnexpectedResponseError");
    assert_eq!(state(ID, json!({}))["error"], "UnexpectedResponseError");
}

#[test]
fn a_state_counts_in_any_2xx_if_it_is_one_of_a_relay() {
    let fate = |status: u16, json: &Value| {
        let body = format!("\u{feff}{json}");
        fate_of(
            &json!({ "status": status, "body": body, "headers": { "Location": "/orders/1" } }),
            &FateOptions::default(),
        )
    };
    for state in ["waiting", "sending"] {
        let json = json!({ "orderId": ID.to_uppercase(), "state": state, "order": null });
        for status in [200, 299] {
            assert!(matches!(fate(status, &json), Fate::Accepted(_)), "{status} {json}");
        }
    }
    let open = json!({ "orderId": ID, "state": "waiting" });
    for json in [
        json!({ "state": "waiting" }),
        json!({ "orderId": [ID], "state": "waiting" }),
        json!({ "orderId": ID, "state": "created" }),
        json!({ "orderId": ID, "state": ["waiting"] }),
        json!({ "orderId": ID }),
        json!([open]),
    ] {
        let Fate::Unknown(failure) = fate(200, &json) else { panic!("{json}") };
        assert_eq!(failure.kind, FailureKind::UnexpectedResponse, "{json}");
    }
}

#[test]
fn what_a_relay_says_of_a_refusal_is_passed_on() {
    let issues = json!([{ "code": "price_zero", "severity": "warning", "message": "no price", "pointer": "/Items/0" }]);
    let json = json!({ "orderId": ID, "state": "refused", "outcome": "not-created", "detail": "No.", "errors": issues });
    let reply =
        json!({ "status": 200, "type": "application/json", "json": json, "headers": { "Location": "/o" } });
    let fate = fate_of(&reply, &FateOptions::default());
    let Fate::NotCreated(failure) = fate else { panic!("{fate:?}") };
    assert_eq!(failure.detail.as_deref(), Some("No."));
    assert_eq!((&*failure.issues[0].pointer, failure.issues[0].code.as_str()), ("/Items/0", "price_zero"));
}

#[test]
fn every_difference_in_the_items_is_a_warning_and_what_is_left_out_is_none() {
    let differing = |items: Value| {
        let reply = json!({ "status": 201, "type": "application/json", "order": { "Items": items } });
        described(&fate_of(&reply, &FateOptions::default()))["issues"].clone()
    };
    let item = |changes: Value| {
        let mut item = order()["Items"][0].clone();
        for (name, value) in changes.as_object().unwrap() {
            item[name] = value.clone();
        }
        item
    };
    let other = "ffffffff-0000-4000-8000-000000000000";
    let all =
        item(json!({ "CatalogItemId": other, "Quantity": 3, "SellAtPricePerUnit": 0, "Name": "Coffee" }));
    let warning = |pointer: &str| format!("warning differs_from_sent {pointer}");
    assert_eq!(
        differing(json!([all, item(json!({}))])),
        json!([
            warning("/Items"),
            warning("/Items/0/CatalogItemId"),
            warning("/Items/0/Quantity"),
            warning("/Items/0/SellAtPricePerUnit"),
        ])
    );
    let same = json!([{ "Quantity": "2.0", "SellAtPricePerUnit": null, "CatalogItemId": "{0F1D2C3B-4A59-4687-8594-A3B2C1D0E0FF}" }]);
    assert_eq!(differing(same), Value::Null);
    assert_eq!(differing(json!([])), json!([warning("/Items")]));
}

#[test]
fn no_reply_makes_it_panic() {
    let text = order().to_string();
    for status in [0, 99, 100, 199, 200, 201, 204, 226, 304, 400, 499, 599, 600, u16::MAX] {
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            let response = ServiceResponse::new(status, start(&text, end))
                .header("Location", "x")
                .header("Retry-After", "é");
            let fate = request().fate(response, &FateOptions::default());
            assert!(!matches!(fate, Fate::Created(Created { order: Some(_), .. })), "{status} {end}");
        }
    }
}
