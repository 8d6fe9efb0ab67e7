//! The functions, by number.

use serde::Serialize;
use serde_json::json;
use service_rules::injected_fault::{FaultSettings, InjectedFault};
use service_rules::problem::{Problem, ProblemType};

use crate::order::{begin, settle};
use crate::relay::relay;
use crate::response::JsonResponse;
use crate::route::{orders, route};
use crate::source::registry;

/// Calls a function by its number, which is that of `testing/rules.ts`. Returns `None` if no function has the
/// number.
pub(crate) fn call(function: u32, first: &str, second: &str, body: &[u8]) -> Option<String> {
    Some(match function {
        // The head of an order request, a registry and a body → the response, or what the store has to do.
        0 => text(begin(first, second, body)),
        // What the store had to do, and what it has → the response.
        1 => text(settle(first, second)),
        // The fault that a test asks for → null, or what it has to be.
        2 => text(Ok(InjectedFault::scripted(first).err())),
        // Faults with their rates → null, or what they have to be.
        3 => text(rates(first).map(Result::err)),
        // A request and a registry → what it is for, if it is not for an order.
        4 => text(route(first, second)),
        // A location, a registry and its orders → the response that shows them.
        5 => text(orders(first, second, body)),
        // A registry → null, or its errors.
        6 => text(Ok(registry(second).err())),
        // The head of a request to a relay → what it is for, and the response if it is refused.
        7 => text(relay(first, body)),
        // The name of a type of problem and a detail → the response.
        8 => text(problem(first, second)),
        _ => return None,
    })
}

fn problem(name: &str, detail: &str) -> Result<JsonResponse, String> {
    let problem_type = ProblemType::of_name(name).ok_or("no such type of problem")?;
    Ok(Problem::new(problem_type, detail).response().into())
}

/// Reads a list of faults with their rates.
fn rates(json: &str) -> Result<Result<FaultSettings, String>, String> {
    let texts: Vec<String> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let rate = |text: &String| FaultSettings::parse_rate(text).map_err(|error| format!("{text}: {error}"));
    let rates: Result<_, _> = texts.iter().map(rate).collect();
    Ok(rates.and_then(|rates| FaultSettings::with_rates(rates).map_err(str::to_owned)))
}

fn text<Json: Serialize>(result: Result<Json, String>) -> String {
    let json = result.and_then(|json| serde_json::to_string(&json).map_err(|error| error.to_string()));
    json.unwrap_or_else(|error| json!({ "error": error }).to_string())
}
