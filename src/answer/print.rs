//! Issues and previews as JSON text: what `serde_json` prints of them, with a fraction of the code in the module.

use crate::issue::{Issue, Segment};
use crate::json::Writer;
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
    out.name("code").text(issue.code.name());
    out.name("severity").text(issue.severity.name());
    out.name("message").text(&issue.message);
    out.name("pointer").text(&issue.pointer);
    out.name("path").open('[');
    for segment in &issue.path {
        match segment {
            Segment::Member(name) => out.text(name),
            Segment::Index(index) => out.number(*index),
        }
    }
    out.close(']');
    if let Some(hint) = &issue.hint {
        out.name("hint").text(hint);
    }
    out.close('}');
}

/// The members of a preview.
pub(super) fn preview(out: &mut Writer, preview: &Preview) {
    out.name("version").text(preview.version.name());
    out.name("scale").number(preview.scale as usize);
    out.name("rounding").text(preview.rounding.name());
    out.name("lines").open('[');
    for preview_line in &preview.lines {
        line(out, preview_line);
    }
    out.close(']');
    out.name("subtotal").decimal_or_null(preview.subtotal.as_ref());

    out.name("discount").open('{');
    out.name("total").decimal_or_null(preview.discount.total.as_ref());
    out.name("entries").open('[');
    for entry in &preview.discount.entries {
        out.open('{');
        out.name("name").text_or_null(entry.name.as_deref());
        out.name("amount").decimal_or_null(entry.amount.as_ref());
        out.close('}');
    }
    out.close(']');
    out.close('}');

    out.name("tax").open('{');
    out.name("source").text(preview.tax.source.name());
    out.name("total").decimal_or_null(preview.tax.total.as_ref());
    out.name("entries").open('[');
    for entry in &preview.tax.entries {
        out.open('{');
        out.name("taxId").text(&entry.tax_id);
        out.name("name").text_or_null(entry.name.as_deref());
        out.name("amount").decimal(&entry.amount);
        out.close('}');
    }
    out.close(']');
    out.close('}');

    out.name("total").decimal_or_null(preview.total.as_ref());
    match &preview.penny_risk {
        Some(risk) => {
            out.name("pennyRisk").open('{');
            out.name("min").decimal(&risk.min);
            out.name("max").decimal(&risk.max);
            out.close('}');
        }
        None => out.name("pennyRisk").raw("null"),
    }
    if let Some(steps) = &preview.steps {
        out.name("steps").open('[');
        for taken in steps {
            step(out, taken);
        }
        out.close(']');
    }
    issues(out.name("issues"), &preview.issues);
}

fn line(out: &mut Writer, line: &PreviewLine) {
    out.open('{');
    out.name("index").number(line.index);
    out.name("name").text_or_null(line.name.as_deref());
    out.name("quantity").decimal_or_null(line.quantity.as_ref());
    out.name("unitPrice").decimal_or_null(line.unit_price.as_ref());
    out.name("extended").decimal_or_null(line.extended.as_ref());
    out.name("discount").decimal_or_null(line.discount.as_ref());
    out.name("tax").decimal_or_null(line.tax.as_ref());
    out.name("taxes").open('[');
    for LineTax { tax_id, amount } in &line.taxes {
        out.open('{');
        out.name("taxId").text(tax_id);
        out.name("amount").decimal(amount);
        out.close('}');
    }
    out.close(']');
    out.name("total").decimal_or_null(line.total.as_ref());
    out.close('}');
}

fn step(out: &mut Writer, step: &Step) {
    out.open('{');
    out.name("of").text(&step.of);
    out.name("expression").text(&step.expression);
    out.name("exact").text(&step.exact);
    out.name("result").text(&step.result);
    out.name("rule").text(step.rule);
    out.close('}');
}
