import { evaluateOrder, OptionError, type PreviewOptions } from 'sales-order-intake';

/** An order and options, as JSON that has them as they were sent. */
export interface Evaluation {
  order: string;
  options: string | null;
}

/** The JSON of issues and amounts; or what is wrong with the options. */
export type Evaluated = { body: string } | { problem: string };

/** Returns issues and amounts. Every number of the order reaches the core as it was sent. */
export function evaluated({ order, options }: Evaluation): Evaluated {
  try {
    const evaluation = evaluateOrder(order, optionsOf(options ?? '{}'));
    const { ok, issues } = evaluation;
    // Those of the preview lack a missing Id.
    const { issues: _, lines, steps, ...totals } = evaluation.preview();
    return { body: JSON.stringify({ ok, issues, totals, lines, steps }) };
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    return { problem: error.message.replace('option ', 'option /options') };
  }
}

/** Parses options. A rate keeps its digits if the platform passes them to a reviver (Node 21). */
function optionsOf(text: string): PreviewOptions {
  return JSON.parse(text, (name, value, context?: { source?: string }) =>
    name === 'rate' && typeof value === 'number' ? (context?.source ?? value) : value,
  );
}
