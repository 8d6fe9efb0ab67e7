//! Runs the program of `examples/send.rs` with services on loopback that play each fate, over real connections.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

#[path = "../examples/send.rs"]
#[expect(dead_code, reason = "its main function builds an order of its own")]
mod send;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread;

use sales_order_intake::{PreparedRequest, RuleOptions, prepare_request};

const ORDER: &str = r#"{"Id":"2a8f5d33-eec9-4864-8b49-5636577b40d5","CompanyId":1000,"EntityId":2000,"IntegratorId":"7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50","Items":[{"CatalogItemId":"0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff","Quantity":2,"SellAtPricePerUnit":19.99}],"ReceiptNumber":"R-17"}"#;

fn request() -> PreparedRequest {
    prepare_request(ORDER, &RuleOptions::default()).expect("a valid order")
}

/// Reads a request to its end; returns its head.
fn read(stream: &TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        let count = reader.read_line(&mut head).expect("the head");
        assert!(count > 0, "the request ends early: {head}");
    }
    reader.read_exact(&mut vec![0; request().body.len()]).expect("the body");
    head
}

/// Delivers the order to a service that plays these responses, each over a connection of its own; returns what became of it, and
/// the heads of the requests.
fn delivered(responses: &[&str]) -> (String, Vec<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let base_url = format!("http://{}/intake", listener.local_addr().expect("an address"));
    let responses: Vec<String> = responses.iter().map(|response| (*response).to_owned()).collect();
    let service = thread::spawn(move || {
        let mut heads = Vec::new();
        for response in responses {
            let (mut stream, _) = listener.accept().expect("a connection");
            heads.push(read(&stream));
            stream.write_all(response.as_bytes()).expect("the response is sent");
        }
        heads
    });
    let fate = send::deliver(&request(), &base_url, "a-token").expect("a fate");
    (fate, service.join().expect("no panic"))
}

fn response(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}")
}

#[test]
fn an_order_in_the_response_is_created_and_the_request_is_the_one_of_the_specification() {
    let (fate, heads) = delivered(&[&response("201 Created", "Content-Type: application/json\r\n", ORDER)]);
    assert_eq!(fate, "created, receipt R-17");
    let [head] = &*heads else { panic!("{heads:?}") };
    assert!(
        head.starts_with("PUT /intake/v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5) HTTP/1.1\r\n"),
        "{head}"
    );
    for header in
        ["authorization: Bearer a-token", "accept: application/json", "content-type: application/json"]
    {
        assert!(head.lines().any(|line| line.eq_ignore_ascii_case(header)), "{header} in {head}");
    }
}

#[test]
fn what_proves_nothing_is_sent_again_until_the_order_is_there() {
    let page = response("200 OK", "Content-Type: text/html\r\n", "<p>Sign in</p>");
    let failing = response("503 Service Unavailable", "Retry-After: 0\r\n", "");
    let (fate, heads) = delivered(&[&page, &failing, "", &response("200 OK", "", ORDER)]);
    assert_eq!(fate, "created, receipt R-17");
    assert_eq!(heads.len(), 4);
}

#[test]
fn an_empty_201_that_may_have_been_cut_off_is_sent_again() {
    let cut = "HTTP/1.1 201 Created\r\nConnection: close\r\n\r\n";
    let (fate, _) = delivered(&[cut, &response("201 Created", "", "")]);
    assert_eq!(fate, "created, receipt unknown");
}

#[test]
fn a_refusal_is_not_created_and_after_a_lost_response_it_is_unknown() {
    let refusal = response("422 Unprocessable Content", "", r#"{"Message":"No such product."}"#);
    assert_eq!(delivered(&[&refusal]).0, "not created: The service rejected the order (422)");
    let (fate, heads) = delivered(&["", &refusal]);
    assert_eq!(fate, "unknown, to be sent again with the same Id: The service rejected the order (422)");
    assert_eq!(heads.len(), 2);
}

#[test]
fn a_relay_accepts_the_order_and_a_redirect_is_not_followed() {
    let accepted = response("202 Accepted", "Location: /orders/7\r\n", "{}");
    assert_eq!(delivered(&[&accepted]).0, "a relay delivers it: /orders/7");
    let redirect = response("302 Found", "Location: http://127.0.0.1:1/\r\n", "");
    let (fate, _) = delivered(&[&redirect]);
    assert!(fate.contains("responded with a redirect, which is not followed (302)"), "{fate}");
}

#[test]
fn a_refused_connection_has_sent_nothing() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let base_url = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let fate = send::deliver(&request(), &base_url, "a-token").expect("a fate");
    assert_eq!(fate, "not created: No connection could be made");
}
