//! Builds an order, previews its total, sends it with ureq, and handles whatever becomes of it.
//!
//! `make serve` starts a service to try it with: `cargo run --example send --features http -- http://127.0.0.1:8080 demo-token`

#![expect(clippy::print_stdout, reason = "a program")]

use std::{env, error::Error, thread, time::Duration};

use sales_order_intake::{
    AmountOptions, EarlierAttempts, Fate, FateOptions, Guid, PreparedRequest, Reply, RuleOptions, SalesOrder,
    SalesOrderItem, ServiceResponse, parse_decimal,
};

fn main() -> Result<(), Box<dyn Error>> {
    let [base_url, token] =
        env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| "BASE_URL TOKEN")?;
    let shop: Guid = "b9f3a1de-52c4-4b0e-8f55-7d1c60a2e913".parse()?; // a GUID of your own
    let integrator = "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50".parse()?;
    let tea = "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff".parse()?;
    let mut item = SalesOrderItem::new(tea, parse_decimal("2")?, parse_decimal("19.99")?);
    item.name = Some("Green tea".into());
    // The same cart has the same Id, also after a crash: nothing is ordered twice.
    let order = SalesOrder::new(Guid::derive(shop, "cart-1042")?, 1000, 2000, integrator, vec![item]);
    let valid = order.check(&RuleOptions::default())?;
    println!("subtotal {:?}", valid.preview(&AmountOptions::default()).totals.subtotal);
    println!("{}", deliver(valid.request(), &base_url, &token)?);
    Ok(())
}

// #region deliver
/// Sends a request until its fate is known, at most four times. Returns what became of the order.
pub(crate) fn deliver(
    request: &PreparedRequest,
    base_url: &str,
    token: &str,
) -> Result<String, Box<dyn Error>> {
    let mut options = FateOptions::default();
    let mut attempts_left = 4;
    loop {
        attempts_left -= 1;
        let (failure, outcome) = match attempt(request, base_url, token, &options)? {
            Fate::Created(created) => {
                let receipt = created.order.and_then(|order| order.receipt_number);
                return Ok(format!("created, receipt {}", receipt.as_deref().unwrap_or("unknown")));
            }
            Fate::Accepted(accepted) => return Ok(format!("a relay delivers it: {}", accepted.location)),
            // Correct the order, the base URL or the token; then it can be sent again.
            Fate::NotCreated(failure) => (failure, "not created"),
            Fate::Unknown(failure) => {
                options.earlier_attempts = EarlierAttempts::Unknown;
                (failure, "unknown, to be sent again with the same Id")
            }
            other => return Err(format!("{other:?} is of a later version of the crate").into()),
        };
        let pause = failure.retry_after.unwrap_or(Duration::from_secs(1));
        if attempts_left == 0 || !failure.can_repeat || pause > Duration::from_secs(60) {
            return Ok(format!("{outcome}: {failure}"));
        }
        thread::sleep(pause);
    }
}
// #endregion deliver

fn attempt(
    request: &PreparedRequest,
    base_url: &str,
    token: &str,
    options: &FateOptions,
) -> Result<Fate, Box<dyn Error>> {
    let config = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0);
    let agent = config.timeout_global(Some(Duration::from_secs(60))).build().new_agent();
    let (parts, mut body) = match agent.run(request.to_http(base_url, token)?) {
        Ok(response) => response.into_parts(),
        Err(ureq::Error::HostNotFound | ureq::Error::ConnectionFailed) => {
            return Ok(request.fate(Reply::NotSent, options));
        }
        Err(ureq::Error::Io(error)) if error.kind() == std::io::ErrorKind::ConnectionRefused => {
            return Ok(request.fate(Reply::NotSent, options));
        }
        // Also a certificate that is not trusted: this client does not say that nothing was sent.
        Err(_) => return Ok(request.fate(Reply::Lost, options)),
    };
    let limit = ServiceResponse::MAX_BODY as u64;
    match body.with_config().limit(limit).read_to_vec() {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes);
            Ok(request.fate(ServiceResponse::from_http(&parts, &text), options))
        }
        Err(_) => Ok(request.fate(Reply::Lost, options)),
    }
}
