/**
 * A draft: an order that is edited, and judged anew after each change without judging all of it.
 *
 * The core keeps nothing and is asked about texts; what was asked and answered is kept here. There are three parts:
 *
 * - each line: its text, and what the core said of it alone (`draftLine`): its issues and its *sums*, which are what it
 *   comes to in every rounding, as text that is only handed back;
 * - the outline: all other members, with one line in place of all. Its issues are those of `buildOrder`;
 * - the totals (`draftTotals`): the core adds the sums of the lines that came and takes out those that went, and
 *   previews the outline with what the lines come to.
 *
 * So a change costs one call about one line and one about the outline, however many lines there are. Issues come in
 * document order by themselves: the outline's before Items, those of the lines, the outline's after.
 *
 * What needs all lines is asked for when it is read: `lines` of a preview, `order` of a verdict, and `prepare`. And where
 * parts can't tell, the whole order is judged: estimates, where taxes depend on each line's share of the discount (D16,
 * D17); steps; amounts that are out of range; and orders whose size is near the limits of the core.
 */
import { answerOf, linesOf, prepared, previewed, totalsIn, verdictOf, withLines, type Totals } from './answers.js';
import { Line, Lines } from './draft-lines.js';
import { InternalError } from './errors.js';
import { encodeMember, encodeOptions, entriesOf, membersOf } from './encode.js';
import { call } from './loader.js';
import { replaced, stepsOf } from './pointer.js';
import { newOrderId } from './new-order-id.js';
import type {
  Issue,
  OrderDraft,
  PreparedRequest,
  Preview,
  PreviewOptions,
  SalesOrderInput,
  SalesOrderItemInput,
  Verdict,
} from './types.js';

/** Stands for all lines; there is nothing to say about it. */
const STAND_IN =
  '{"Name":"-","CatalogItemId":"c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e","Quantity":1,"SellAtPricePerUnit":1}';

/** Well below the limits of the core, which hold for an order as a whole. */
const MOST_LINES = 50_000;
const MOST_CHARACTERS = 8_000_000;
const MOST_ISSUES = 5_000;
/** More changes than these are worth a new sum. */
const MOST_TERMS = 1_000;

/** The order with {@link STAND_IN} in place of its lines. */
interface Outline {
  text: string;
  issues: Issue[];
  /** Names of the members that stand before Items. */
  before: ReadonlySet<unknown>;
}

/**
 * Starts a draft from an order, which is copied as far as the draft changes it.
 *
 * An order without an Id gets one, and keeps it: whatever comes of the draft is one order (D2).
 *
 * @param options Those of the preview; they hold for the whole life of the draft.
 * @throws TypeError where the order is no object and for a wrong option, CoreInitError, InternalError; never for a bad
 * order.
 *
 * @example
 * ```js
 * import { createDraft } from 'sales-order-intake';
 *
 * const draft = createDraft({
 *   CompanyId: 1000,
 *   EntityId: 2000,
 *   IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50',
 *   Items: [{ Name: 'Green tea', CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff', Quantity: 2, SellAtPricePerUnit: 19.99 }],
 * });
 * draft.set('/Items/0/Quantity', 3);
 * console.log(draft.verdict().ok, draft.preview().subtotal); // true 59.97
 * draft.set('/Items/0/Quantity', 0);
 * console.log(draft.verdict().issues[0].pointer); // /Items/0/Quantity
 * ```
 */
export function createDraft(order: SalesOrderInput, options?: PreviewOptions): OrderDraft {
  const members = membersOf(order);
  if (members === undefined) throw new TypeError('createDraft: the order is to be an object');
  return new Draft(members, options);
}

class Draft implements OrderDraft {
  readonly #options: string;
  readonly #wholePreview: boolean;
  /** Whether an order without an Id is to get one; else the options have it. */
  readonly #mintsId: boolean;
  /** The Id of the draft, once it needed one. */
  #id: string | undefined;
  /** Every member; Items as it was set, where it is no list. */
  #members: Record<string, unknown>;
  /** The items, where Items is a list. */
  #lines: Lines | undefined;
  #outline: Outline | undefined;
  /** What the lines came to when the core was last asked; undefined: it is to add them all. */
  #sums: string | undefined;
  /** Sums with their sign, of lines that came and went since. */
  #terms: string[] = [];

  constructor(members: Record<string, unknown>, options: PreviewOptions | undefined) {
    this.#options = encodeOptions(options);
    this.#wholePreview = options?.explain === true;
    this.#mintsId = options?.orderId === undefined;
    this.#members = this.#withId(members);
    // Options that can't be used are told of before anything is asked for with them.
    answerOf(call('validateOrder', '', this.#options));
    this.#setLines(members['Items']);
  }

  get order(): SalesOrderInput {
    const lines = this.#lines && { Items: this.#lines.values };
    return { ...this.#members, ...lines } as SalesOrderInput;
  }

  set(pointer: string, value: unknown): void {
    const [first, second, ...rest] = stepsOf(pointer);
    if (first === undefined)
      throw new TypeError('set: the pointer is to name a member; for another order create another draft');
    const lines = this.#lines;
    if (first === 'Items' && second === undefined) return this.#setItems(value);
    if (first === 'Items' && lines && second !== undefined) {
      const index = /^(0|[1-9]\d*)$/.test(second) ? Number(second) : -1;
      const line = this.#lineAt(index);
      return this.#change(index, line, new Line(replaced(line.value, rest, value), index, this.#options));
    }
    const keys = second === undefined ? [first] : [first, second, ...rest];
    this.#members = this.#withId(replaced(this.#members, keys, value) as Record<string, unknown>);
    this.#outline = undefined;
  }

  addItem(item: SalesOrderItemInput, index = this.#lines?.length ?? 0): void {
    this.#lines ?? this.#setItems([]);
    this.#check(index, (this.#lines as Lines).length + 1);
    this.#change(index, undefined, new Line(item, index, this.#options));
  }

  removeItem(index: number): void {
    this.#change(index, this.#lineAt(index), undefined);
  }

  moveItem(from: number, to: number): void {
    const line = this.#lineAt(from);
    this.#lineAt(to);
    this.#lines = this.#lines?.changed(from, 1).changed(to, 0, line);
  }

  verdict(): Verdict {
    const outline = this.#parts();
    const text = this.#later();
    if (!outline) return verdictOf(call('buildOrder', text(), this.#options));
    const issues = this.#among(outline, outline.issues);
    if (issues.length > MOST_ISSUES) return verdictOf(call('buildOrder', text(), this.#options));
    if (issues.some(({ severity }) => severity === 'error')) return { ok: false, issues };
    const whole = once(() => verdictOf(call('buildOrder', text(), this.#options)) as Verdict & { ok: true });
    return {
      ok: true,
      get order() {
        return whole().order;
      },
      issues,
    };
  }

  preview(): Preview {
    const text = this.#later();
    const outline = this.#wholePreview ? undefined : this.#parts();
    const totals = outline && this.#totals(outline);
    if (totals) return withLines(totals, () => linesOf(text(), this.#options));
    return previewed(text(), this.#options);
  }

  prepare(): PreparedRequest {
    return prepared(call('prepareRequest', this.#text(), this.#options));
  }

  /** An order without an Id has the one of the draft, also where it was taken out (D2, D3). */
  #withId(members: Record<string, unknown>): Record<string, unknown> {
    const { Id } = members;
    if (!this.#mintsId || (Id !== undefined && Id !== null)) return members;
    return { ...members, Id: (this.#id ??= newOrderId()) };
  }

  #setItems(value: unknown): void {
    this.#members = { ...this.#members, Items: value };
    this.#outline = undefined;
    this.#setLines(value);
  }

  #setLines(value: unknown): void {
    const items = entriesOf(value);
    this.#lines = items && Lines.of(items.map((item, index) => new Line(item, index, this.#options)));
    this.#sums = undefined;
  }

  #lineAt(index: number): Line {
    this.#check(index, this.#lines?.length ?? 0);
    return this.#lines?.at(index) as Line;
  }

  #check(index: number, length: number): void {
    if (!Number.isInteger(index) || index < 0 || index >= length)
      throw new RangeError(`the draft has no place for an item at ${index}`);
  }

  #change(index: number, old: Line | undefined, line: Line | undefined): void {
    this.#lines = this.#lines?.changed(index, old ? 1 : 0, line);
    if (line) this.#terms.push(`+${line.sums}`);
    if (old) this.#terms.push(`-${old.sums}`);
    if (this.#terms.length > MOST_TERMS) this.#sums = undefined;
    if (this.#sums === undefined) this.#terms = [];
  }

  /** The outline, where the order can be judged in parts. */
  #parts(): Outline | undefined {
    const lines = this.#lines;
    if (!lines || lines.length === 0 || lines.length > MOST_LINES) return undefined;
    this.#outline ??= this.#newOutline();
    const { text, issues } = this.#outline;
    // What is said of the order as such has no place among the members.
    if (issues.some(({ path }) => path.length === 0)) return undefined;
    return text.length + lines.characters > MOST_CHARACTERS ? undefined : this.#outline;
  }

  #newOutline(): Outline {
    const text = textOf(this.#members, STAND_IN);
    const { issues } = answerOf(call('buildOrder', text, this.#options)).head;
    const names = Object.keys(this.#members).filter((name) => this.#members[name] !== undefined);
    return { text, issues, before: new Set(names.slice(0, names.indexOf('Items'))) };
  }

  /** The preview without its lines; undefined where only the whole order can tell. */
  #totals(outline: Outline): Totals | undefined {
    const lines = this.#lines as Lines;
    if (this.#sums === undefined) {
      this.#sums = '';
      this.#terms = lines.sums.map((sums) => `+${sums}`);
    }
    const terms = this.#sums === '' ? this.#terms : [`+${this.#sums}`, ...this.#terms];
    const answer = call('draftTotals', outline.text, terms.join('\n'), this.#options);
    const end = answer.indexOf('\n');
    if (end < 0) throw new InternalError(`the core does not take these running totals back: ${answer}`);
    this.#sums = answer.slice(0, end);
    this.#terms = [];
    const totals = totalsIn(answer.slice(end + 1));
    const { subtotal, tax } = totals;
    // Taxes are shown on the first line: where its total is out of range, and the order's unknown, only the lines tell.
    const needsLines = tax.source === 'estimated' || (tax.source === 'supplied' && subtotal === null);
    if (needsLines || totals.issues.some(({ code }) => code === 'amount_out_of_range')) return undefined;
    const issues = this.#among(outline, totals.issues);
    return issues.length > MOST_ISSUES ? undefined : { ...totals, issues };
  }

  /** Issues of the outline, and those of the lines where they stand. */
  #among({ before }: Outline, issues: Issue[]): Issue[] {
    const isBefore = ({ path }: Issue) => before.has(path[0]);
    return [
      ...issues.filter(isBefore),
      ...(this.#lines as Lines).issues,
      ...issues.filter((issue) => !isBefore(issue)),
    ];
  }

  #text(): string {
    return this.#later()();
  }

  /** The text of the order as it is now, to be made when it is needed. */
  #later(): () => string {
    const members = this.#members;
    const lines = this.#lines;
    return () => textOf(members, lines?.text);
  }
}

/** JSON text of an order, its items given as text where they are a list. */
function textOf(members: Record<string, unknown>, items: string | undefined): string {
  const texts = Object.entries(members).map(([name, value]) =>
    name === 'Items' && items !== undefined ? `"Items":[${items}]` : encodeMember(name, value),
  );
  return `{${texts.filter((text) => text !== '').join(',')}}`;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
