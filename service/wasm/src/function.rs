//! The functions and their numbers.

use serde::Serialize;
use serde_json::json;
use service_rules::injected_fault::{FaultSettings, InjectedFault};
use service_rules::problem::{Problem, ProblemType};

use crate::order::{begin, settle};
use crate::relay::relay;
use crate::response::JsonResponse;
use crate::route::{orders, route};
use crate::source::registry;

/// A function that JavaScript can call. The numbers are those of `testing/rules.ts`.
#[derive(Clone, Copy)]
pub(crate) enum Function {
    /// The head of an order request, a registry and a body → the response, or what the store has to do.
    Begin = 0,
    /// What the store had to do, and what it has → the response.
    Settle = 1,
    /// The fault that a test asks for → null, or what it has to be.
    CheckFault = 2,
    /// A fault and its rate → null, or what they have to be. Of several, all together.
    CheckRates = 3,
    /// A request and a registry → what it is for, if it is not for an order.
    Route = 4,
    /// A location, a registry and its orders → the response that shows them.
    Orders = 5,
    /// A registry → null, or its errors.
    CheckRegistry = 6,
    /// The head of a request to a relay → what it is for, and the response if it is refused.
    Relay = 7,
    /// The name of a type of problem and a detail → the response.
    Problem = 8,
}

impl TryFrom<u32> for Function {
    type Error = ();

    fn try_from(number: u32) -> Result<Self, ()> {
        let functions = [
            Self::Begin,
            Self::Settle,
            Self::CheckFault,
            Self::CheckRates,
            Self::Route,
            Self::Orders,
            Self::CheckRegistry,
            Self::Relay,
            Self::Problem,
        ];
        functions.into_iter().find(|function| *function as u32 == number).ok_or(())
    }
}

impl Function {
    pub(crate) fn call(self, first: &str, second: &str, body: &[u8]) -> String {
        match self {
            Self::Begin => text(begin(first, second, body)),
            Self::Settle => text(settle(first, second)),
            Self::CheckFault => text(Ok(InjectedFault::scripted(first).err())),
            Self::CheckRates => text(rates(first).map(|rates| rates.err())),
            Self::Route => text(route(first, second)),
            Self::Orders => text(orders(first, second, body)),
            Self::CheckRegistry => text(Ok(registry(second).err())),
            Self::Relay => text(relay(first, body)),
            Self::Problem => text(problem(first, second)),
        }
    }
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
