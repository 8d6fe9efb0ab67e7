//! Issues and previews as JSON text: what `serde_json` prints of them, with a fraction of the code in the module.

use crate::issue::{Issue, Segment};
use crate::json::{Writer, written};
use crate::preview::{LineTax, Preview, PreviewLine, Step};

/// A list of issues.
pub(super) fn issues(out: &mut Writer, issues: &[Issue]) {
    out.open('[');
    for issue in issues {
        self::issue(out, issue);
    }
    out.close(']');
}

fn issue(out: &mut Writer, issue: &Issue) {
    out.open('{');
    out.name(written!("code")).text(issue.code.as_str());
    out.name(written!("severity")).text(issue.severity.as_str());
    out.name(written!("message")).text(&issue.message);
    out.name(written!("pointer")).text(&issue.pointer);
    out.name(written!("path")).open('[');
    for segment in &issue.path {
        match segment {
            Segment::Member(name) => out.text(name),
            Segment::Index(index) => out.number(*index),
        }
    }
    out.close(']');
    if let Some(hint) = &issue.hint {
        out.name(written!("hint")).text(hint);
    }
    out.close('}');
}

/// The members of a verdict.
pub(super) fn verdict(out: &mut Writer, ok: bool, issues: &[Issue]) {
    out.name(written!("ok")).raw(if ok { "true" } else { "false" });
    self::issues(out.name(written!("issues")), issues);
}

/// The members of a preview.
pub(super) fn preview(out: &mut Writer, preview: &Preview, with_lines: bool) {
    out.name(written!("version")).text(preview.version.as_str());
    out.name(written!("scale")).number(preview.scale as usize);
    out.name(written!("rounding")).text(preview.rounding.as_str());
    if with_lines {
        out.name(written!("lines")).open('[');
        for preview_line in &preview.lines {
            line(out, preview_line);
        }
        out.close(']');
    }
    out.name(written!("subtotal")).decimal_or_null(preview.subtotal.as_ref());

    out.name(written!("discount")).open('{');
    out.name(written!("total")).decimal_or_null(preview.discount.total.as_ref());
    out.name(written!("entries")).open('[');
    for entry in &preview.discount.entries {
        out.open('{');
        out.name(written!("name")).text_or_null(entry.name.as_deref());
        out.name(written!("amount")).decimal_or_null(entry.amount.as_ref());
        out.close('}');
    }
    out.close(']');
    out.close('}');

    out.name(written!("tax")).open('{');
    out.name(written!("source")).text(preview.tax.source.as_str());
    out.name(written!("total")).decimal_or_null(preview.tax.total.as_ref());
    out.name(written!("entries")).open('[');
    for entry in &preview.tax.entries {
        out.open('{');
        out.name(written!("taxId")).text(&entry.tax_id);
        out.name(written!("name")).text_or_null(entry.name.as_deref());
        out.name(written!("amount")).decimal(&entry.amount);
        out.close('}');
    }
    out.close(']');
    out.close('}');

    out.name(written!("total")).decimal_or_null(preview.total.as_ref());
    match &preview.rounding_range {
        Some(range) => {
            out.name(written!("roundingRange")).open('{');
            out.name(written!("min")).decimal(&range.min);
            out.name(written!("max")).decimal(&range.max);
            out.close('}');
        }
        None => out.name(written!("roundingRange")).raw("null"),
    }
    if let Some(steps) = &preview.steps {
        out.name(written!("steps")).open('[');
        for taken in steps {
            step(out, taken);
        }
        out.close(']');
    }
    issues(out.name(written!("issues")), &preview.issues);
}

fn line(out: &mut Writer, line: &PreviewLine) {
    out.open('{');
    out.name(written!("index")).number(line.index);
    out.name(written!("name")).text_or_null(line.name.as_deref());
    out.name(written!("quantity")).decimal_or_null(line.quantity.as_ref());
    out.name(written!("unitPrice")).decimal_or_null(line.unit_price.as_ref());
    out.name(written!("extended")).decimal_or_null(line.extended.as_ref());
    out.name(written!("discount")).decimal_or_null(line.discount.as_ref());
    out.name(written!("tax")).decimal_or_null(line.tax.as_ref());
    out.name(written!("taxes")).open('[');
    for LineTax { tax_id, amount } in &line.taxes {
        out.open('{');
        out.name(written!("taxId")).text(tax_id);
        out.name(written!("amount")).decimal(amount);
        out.close('}');
    }
    out.close(']');
    out.name(written!("total")).decimal_or_null(line.total.as_ref());
    out.close('}');
}

fn step(out: &mut Writer, step: &Step) {
    out.open('{');
    out.name(written!("of")).text(&step.of);
    out.name(written!("expression")).text(&step.expression);
    out.name(written!("exact")).text(&step.exact);
    out.name(written!("result")).text(&step.result);
    out.name(written!("rule")).text(step.rule);
    out.close('}');
}
