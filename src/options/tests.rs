//! Compares the names that the types of the npm package list by hand with the enums of the options and results.

use std::path::Path;

use super::{Records, TaxLayer, TaxPricing, TaxRateType, TaxRounding, Version};
use crate::code::Severity;
use crate::decimal::Rounding;
use crate::preview::TaxSource;

/// Returns the literals of a union of TypeScript, such as `'v2' | 'v3' | undefined`; `None` for any other type.
fn literals(union: &str) -> Option<Vec<String>> {
    let names = union.split(" | ").filter(|name| !["null", "undefined"].contains(name));
    let literals = names.map(|name| {
        let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
        name.strip_prefix('\'').and_then(|name| name.strip_suffix('\'')).or(is_number.then_some(name))
    });
    literals.map(|name| name.map(str::to_owned)).collect()
}

#[test]
fn the_types_of_the_npm_package_list_the_same_names_as_the_enums() {
    let layers: Vec<_> = (0..=u8::MAX).filter(|layer| TaxLayer::try_from(*layer).is_ok()).collect();
    let layers: Vec<_> = layers.iter().map(u8::to_string).collect();
    let layers: Vec<_> = layers.iter().map(String::as_str).collect();
    let expected: [(&str, &[&str]); 9] = [
        ("Version", Version::NAMES),
        ("Severity", Severity::NAMES),
        ("locationTaxPricing", TaxPricing::NAMES),
        ("records", Records::NAMES),
        ("Rounding", Rounding::NAMES),
        ("type", TaxRateType::NAMES),
        ("layer", &layers),
        ("roundTaxPer", TaxRounding::NAMES),
        ("source", TaxSource::NAMES),
    ];
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("pkg-template/src/types.ts");
    let types = std::fs::read_to_string(path).unwrap();
    let unions = types.lines().filter_map(|line| {
        let declaration = line.trim().trim_start_matches("export type ").strip_suffix(';')?;
        let (name, union) = declaration.split_once(" = ").or_else(|| declaration.split_once(": "))?;
        // A single literal is not a choice, such as the method of a request.
        let names = literals(union).filter(|names| names.len() > 1)?;
        Some((name.trim_end_matches('?').to_owned(), names))
    });
    let expected = expected
        .map(|(name, names)| (name.to_owned(), names.iter().map(|name| (*name).to_owned()).collect()));
    assert_eq!(
        unions.collect::<Vec<(String, Vec<String>)>>(),
        expected,
        "pkg-template/src/types.ts differs from the enums in Rust"
    );
}
