//! The functions and their numbers.

use serde::Serialize;
use serde_json::json;
use service_rules::injected_fault::InjectedFault;

use crate::order::{begin, settle};

/// A function that JavaScript can call. The numbers are those of `www/testing/rules.ts`.
#[derive(Clone, Copy)]
pub(crate) enum Function {
    /// The head of an order request, a registry and a body → the response, or what the store has to do.
    Begin = 0,
    /// What the store had to do, and what it has → the response.
    Settle = 1,
    /// The fault that a test asks for → null, or what it has to be.
    CheckFault = 2,
}

impl TryFrom<u32> for Function {
    type Error = ();

    fn try_from(number: u32) -> Result<Self, ()> {
        let functions = [Self::Begin, Self::Settle, Self::CheckFault];
        functions.into_iter().find(|function| *function as u32 == number).ok_or(())
    }
}

impl Function {
    pub(crate) fn call(self, first: &str, second: &str, body: &[u8]) -> String {
        match self {
            Self::Begin => text(begin(first, second, body)),
            Self::Settle => text(settle(first, second)),
            Self::CheckFault => text(Ok::<_, String>(InjectedFault::scripted(first).err())),
        }
    }
}

fn text<Json: Serialize>(result: Result<Json, String>) -> String {
    let json = result.and_then(|json| serde_json::to_string(&json).map_err(|error| error.to_string()));
    json.unwrap_or_else(|error| json!({ "error": error }).to_string())
}
