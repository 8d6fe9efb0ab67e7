/**
 * Evaluates an order that is edited, without reading all of it again after each change.
 *
 * The core stores nothing; what it returned for each item is stored here, with the item's JSON. An evaluation has three
 * parts:
 *
 * - the items that are not the same objects as in the last evaluation: the core evaluates each alone (`evaluateItem`) and
 *   returns its issues and its running totals, which are only passed back;
 * - the rest of the order, with one placeholder for all items, and the running totals of the items that were added and removed
 *   (`evaluateOrder`);
 * - everything that needs every item, on demand: `order()`, `preview()` and `request()`.
 *
 * So a change of one item costs one call about that item and one about the rest.
 *
 * The whole order is evaluated, from the JSON of its items, if it has few items or the parts are not enough: for estimated
 * taxes of an order with a discount, because they depend on each item's share of it (D16, D17); for amounts that are out of
 * range; and for orders whose size is near the limits of the core.
 */
import { Fields } from './boundary.js';
import { targetOf } from './core-response.js';
import { encodeOptions } from './json.js';
import { InternalError } from './errors.js';
import { evaluate, evaluatedOf, evaluationOf, totalsOf as totalsInFull } from './evaluation.js';
import { foundIssuesOf, issuesOf as issuesInFull } from './issue-texts.js';
import { type Frame, ofJson, passesThrough, writeFrame, writeInput } from './order-writer.js';
import {
  changeItems,
  charactersOf,
  type Items,
  issuesOf,
  itemsJson,
  NO_ITEMS,
  termsOf,
  termsOfChange,
} from './evaluated-items.js';
import { call } from './loader.js';
import type { CartEvaluation, Evaluation, Issue, PreviewOptions, SalesOrderInput, Totals } from './types.js';

/** The placeholder for all items. It has no issues. */
const ANY_ITEM =
  '{"Name":"-","CatalogItemId":"c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e","Quantity":1,"SellAtPricePerUnit":1}';

/** Up to this number of items, one call about the whole order takes less time than two (benches/findings.md, P2). */
const FEW_ITEMS = 10;
/** Well below the limits of the core, which apply to a whole order. */
const MAX_ITEMS = 50_000;
const MAX_CHARACTERS = 8_000_000;
const MAX_ISSUES = 5_000;
/** If more items were added and removed, all totals are added up again. */
const MAX_TERMS = 1_000;

/**
 * Creates an evaluator for a cart that may have no Id yet: a missing Id is not an issue. While it is missing, `order()` returns null
 * and `request()` throws. Otherwise it works like the evaluator of orders that have an Id.
 *
 * @param options The options of every evaluation.
 * @throws OptionError for a wrong option, at once. CoreInitError, InternalError.
 *
 * @example
 * ```js
 * import { createEvaluator } from 'sales-order-intake';
 *
 * const evaluate = createEvaluator({ id: 'optional' });
 * const tea = { Name: 'Green tea', CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff', Quantity: 2, SellAtPricePerUnit: 19.99 };
 * const cart = { CompanyId: 1000, EntityId: 2000, IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50', Items: [tea] };
 * console.log(evaluate(cart).ok, evaluate(cart).order()); // true null
 * ```
 */
export function createEvaluator(
  options: PreviewOptions & { id: 'optional' },
): (input: SalesOrderInput) => CartEvaluation;
/**
 * Creates a function that evaluates an order as {@link evaluateOrder} does, and is fast for an order that is edited: give
 * it each new version of an immutable order (spread copies, Immer, signals, a React state). It does not read items again
 * that are the same objects as in the version before, even if they have moved.
 *
 * Items must not be changed in place: a changed item has to be a new object. If a store changes them in place (Vue's
 * `reactive`, Svelte's `$state`, Solid's stores), give copies: `{ ...order, Items: order.Items.map((item) => ({ ...item })) }`.
 *
 * @param options The options of every evaluation.
 * @throws OptionError for a wrong option, at once. CoreInitError, InternalError.
 *
 * @example
 * ```js
 * import { createEvaluator } from 'sales-order-intake';
 *
 * const evaluate = createEvaluator();
 * const tea = { Name: 'Green tea', CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff', Quantity: 2, SellAtPricePerUnit: 19.99 };
 * const cart = { CompanyId: 1000, EntityId: 2000, IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50', Items: [tea] };
 * console.log(evaluate(cart).totals.subtotal); // 39.98
 *
 * const changed = { ...cart, Items: [{ ...tea, Quantity: 3 }] };
 * console.log(evaluate(changed).totals.subtotal); // 59.97
 * ```
 */
export function createEvaluator(options?: PreviewOptions): (input: SalesOrderInput) => Evaluation;
export function createEvaluator(options?: PreviewOptions): (input: SalesOrderInput) => Evaluation | CartEvaluation {
  const json = encodeOptions(options);
  // Any call checks the options.
  call('validateOrder', '', '', json);
  const passes = passesThrough(json);
  let items: Items = NO_ITEMS;
  /** The running totals of `items`; undefined if they have to be added up. */
  let totals: string | undefined;

  return (input) => {
    const frame = writeFrame(input, passes);
    const change = frame && tryToChange(items, frame);
    if (!change) return evaluate(writeInput(input, json), json);
    const { chunks, values } = change.items;
    const known = totals;
    // Until the core has returned, nothing is known about these items.
    totals = undefined;
    items = change.items;

    const { before, after } = frame;
    const order = () => before + itemsJson(chunks) + after;
    if (values.length <= FEW_ITEMS) return evaluate(ofJson(order()), json);
    const rest = before + ANY_ITEM + after;
    if (rest.length + charactersOf(chunks) > MAX_CHARACTERS) return evaluate(ofJson(order()), json);
    const isSmall = change.added.length + change.removed.length <= MAX_TERMS;
    const terms = known && isSmall ? [`+${known}`, ...termsOfChange(change, json)] : termsOf(chunks, json);
    const lines = terms.join('\n');
    const response = call('evaluateOrder', rest, lines, json);
    if (response === '') throw new InternalError('the core does not accept its own running totals');
    const fields = new Fields(response);
    const { orderId } = targetOf(fields);
    const whole = () => JSON.parse(call('issuesOfOrder', rest, lines, json)) as Issue[];
    const found = foundIssuesOf(fields, whole);
    const newTotals = totalsInFull(fields);
    totals = fields.optional() ?? undefined;
    const beforeItems = fields.number();

    const issuesOfRest = issuesInFull(found);
    if (needsAllItems(issuesOfRest, newTotals)) return evaluate(ofJson(order()), json);
    const itemIssues = issuesOf(chunks, json);
    const issues = [...issuesOfRest.slice(0, beforeItems), ...itemIssues, ...issuesOfRest.slice(beforeItems)];
    if (issues.length > MAX_ISSUES) return evaluate(ofJson(order()), json);
    const ok = issues.every(({ severity }) => severity !== 'error');
    return evaluationOf(ok, issues, newTotals, evaluatedOf(orderId, order, json));
  };
}

/** Returns undefined if an entry can't be read, which only a whole evaluation reports, or if there are no items or too many. */
function tryToChange(items: Items, frame: Frame) {
  try {
    const { length } = frame.items;
    return length > 0 && length <= MAX_ITEMS ? changeItems(items, frame) : undefined;
  } catch {
    return undefined;
  }
}

function needsAllItems(issues: readonly Issue[], { subtotal, discount, tax }: Totals): boolean {
  // Supplied taxes are shown on the first line, which can be out of range although the order has no subtotal.
  if (tax.source === 'supplied' && subtotal === null) return true;
  // The prices are known, so the taxes can be estimated; but with a discount they depend on each item's share of it.
  if (tax.source === 'estimated' && tax.total === null && subtotal !== null && discount.total !== null) return true;
  // An issue of the whole order has no position among those of its members.
  return issues.some(({ code, path }) => path.length === 0 || code === 'amount_out_of_range');
}
