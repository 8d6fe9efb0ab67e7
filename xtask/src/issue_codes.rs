//! Generates the lists of issue codes from their table: the documentation, and the types of the npm package.

use std::fmt::Write as _;

use sales_order_intake::IssueCode;
use sales_order_intake::internals::{self, CodeParams, KnownParam, PARAMS, ParamType};

use crate::TYPESCRIPT_HEADER;

/// Returns the meaning of a code and its sources: "The value is NaN or infinite." and "D8".
fn meaning_and_sources(code: IssueCode) -> (String, &'static str) {
    let parts = internals::meaning(code).trim().strip_suffix(").").and_then(|text| text.rsplit_once(" ("));
    let (meaning, sources) = parts.unwrap_or_else(|| {
        panic!("the documentation of {code} does not end with its sources, such as (D8).")
    });
    for source in sources.split(", ") {
        let number = source.strip_prefix(['§', 'D']).unwrap_or_default();
        assert!(number.starts_with(|first: char| first.is_ascii_digit()), "{code}: {source} is not a source");
    }
    (format!("{meaning}."), sources)
}

/// Returns `src/issue-codes.md`: the current page, with its table replaced by the table of all codes.
pub(crate) fn documentation(page: &str) -> String {
    const HEAD: &str = "| Code | Severity | Meaning | Params | Source |\n|---|---|---|---|---|\n";
    let (text, _) = page.split_once(HEAD).unwrap();
    let mut out = format!("{text}{HEAD}");
    for &code in IssueCode::ALL {
        let (meaning, sources) = meaning_and_sources(code);
        let params: Vec<_> =
            params(code).map(|Param { name, optional, .. }| format!("`{name}{optional}`")).collect();
        let _ = writeln!(
            out,
            "| `{code}` | {} | {meaning} | {} | {sources} |",
            code.severity(),
            params.join(", ")
        );
    }
    out
}

/// A value in the message of a code.
struct Param {
    name: &'static str,
    /// `?` if some issues do not have it.
    optional: &'static str,
    /// In TypeScript.
    type_name: &'static str,
    meaning: &'static str,
}

fn params(code: IssueCode) -> impl Iterator<Item = Param> {
    let CodeParams { required, optional } = internals::params(code);
    let known = required.iter().map(|known| (known, "")).chain(optional.iter().map(|known| (known, "?")));
    known.map(|(&KnownParam { name, param_type }, optional)| {
        let (.., meaning) = PARAMS.iter().find(|(known, ..)| *known == name).unwrap();
        let type_name = match param_type {
            ParamType::Number => "number",
            ParamType::Text => "string",
        };
        Param { name, optional, type_name, meaning: meaning.trim() }
    })
}

/// Returns `pkg-template/src/issue-codes.ts`.
pub(crate) fn issue_codes() -> String {
    let mut out = format!(
        "{TYPESCRIPT_HEADER}// biome-ignore-all lint/complexity/noBannedTypes: {{}} has no members, so none can be read.\n\n/** The code of an issue. The set is closed and no code is ever renamed; messages may change. */\nexport type IssueCode =\n"
    );
    for &code in IssueCode::ALL {
        let _ = writeln!(out, "  /** {}: the member {}. */", code.severity(), internals::predicate(code));
        let _ = writeln!(out, "  | '{code}'");
    }
    let end = out.trim_end().len();
    out.truncate(end);
    out += ";\n\n/**\n * The values in the message of each code, for messages in other languages. A code whose message has none has `{}`.\n */\n";
    out += "export interface IssueParams {\n";
    for &code in IssueCode::ALL {
        let _ = writeln!(out, "  /** The member {}. */", internals::predicate(code));
        let params: Vec<_> = params(code).collect();
        if params.is_empty() {
            let _ = writeln!(out, "  {code}: {{}};");
            continue;
        }
        let _ = writeln!(out, "  {code}: {{");
        for Param { name, optional, type_name, meaning } in params {
            let _ = writeln!(out, "    /** {meaning} */\n    {name}{optional}: {type_name};");
        }
        out += "  };\n";
    }
    out + "}\n"
}
