//! Compares the names that the types of the npm package list by hand with the enums of the options and results.

#![cfg(not(target_arch = "wasm32"))]

use std::path::Path;

use sales_order_intake::{
    Records, Rounding, Severity, TaxLayer, TaxPricing, TaxRateType, TaxRounding, TaxSource, Version,
};

use sales_order_intake_wasm as module;

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
fn options_that_are_nested_thousands_of_levels_deep_are_rejected() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for options in
        [deep.clone(), format!(r#"{{"taxRates":{deep}}}"#), format!(r#"{{"discountValueTypes":{deep}}}"#)]
    {
        let response = module::validate_order("{}", &options);
        assert!(response.starts_with('!') && response.contains("must be an object"), "{response}");
    }
}

#[test]
fn the_types_of_the_npm_package_list_the_same_names_as_the_enums() {
    let layers: Vec<_> = (0..=u8::MAX).filter(|layer| TaxLayer::try_from(*layer).is_ok()).collect();
    let layers: Vec<_> = layers.iter().map(u8::to_string).collect();
    let expected = [
        ("Version", Version::ALL.iter().map(|value| value.as_str().to_owned()).collect()),
        ("Severity", Severity::ALL.iter().map(|value| value.as_str().to_owned()).collect()),
        ("locationTaxPricing", TaxPricing::ALL.iter().map(|value| value.as_str().to_owned()).collect()),
        ("records", Records::ALL.iter().map(|value| value.as_str().to_owned()).collect()),
        ("id", vec!["required".to_owned(), "optional".to_owned()]),
        ("Rounding", Rounding::ALL.iter().map(|value| value.as_str().to_owned()).collect()),
        ("type", TaxRateType::ALL.iter().map(|value| value.as_str().to_owned()).collect()),
        ("layer", layers),
        ("roundTaxPer", TaxRounding::ALL.iter().map(|value| value.as_str().to_owned()).collect()),
        ("source", TaxSource::ALL.iter().map(|value| value.as_str().to_owned()).collect()),
    ];
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pkg-template/src/types.ts");
    let types = std::fs::read_to_string(path).unwrap();
    let unions = types.lines().filter_map(|line| {
        let declaration = line.trim().trim_start_matches("export type ").strip_suffix(';')?;
        let (name, union) = declaration.split_once(" = ").or_else(|| declaration.split_once(": "))?;
        // A single literal is not a choice, such as the method of a request.
        let names = literals(union).filter(|names| names.len() > 1)?;
        Some((name.trim_end_matches('?').to_owned(), names))
    });
    let expected = expected.map(|(name, names): (&str, Vec<_>)| (name.to_owned(), names));
    assert_eq!(
        unions.collect::<Vec<(String, Vec<String>)>>(),
        expected,
        "pkg-template/src/types.ts differs from the enums in Rust"
    );
}
