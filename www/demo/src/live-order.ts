/** The order of the form, judged after each change. */
import {
  createDraft,
  previewOrder,
  type Issue,
  type OrderDraft,
  type Preview,
  type PreviewOptions,
  type SalesOrderInput,
} from 'sales-order-intake/slim';
import { itemOf, orderOf, previewOptionsOf, type Draft, type ItemRow } from './draft';

export interface Evaluation {
  canBeSent: boolean;
  preview: Preview;
  /** What each line comes to. */
  amounts: (string | null)[];
  /** Of the order and of what the figures depend on. */
  issues: Issue[];
}

/** What is kept from one change to the next. */
interface Kept {
  form: Draft;
  options: string;
  draft: OrderDraft;
  /** An option that the draft does without. */
  fault?: Issue;
  amounts: WeakMap<ItemRow, string | null>;
}

/**
 * Lives as long as the page and keeps the package's draft, so that the core is asked about what changed and the sums.
 * The form is never changed in place: a row that is the same object says the same.
 */
export class LiveOrder {
  #kept: Kept | undefined;

  evaluate(form: Draft, explain: boolean): Evaluation {
    const options = { ...previewOptionsOf(form), explain };
    const had = this.#kept;
    // Should the core fail, the next change starts anew.
    this.#kept = undefined;
    const kept = had?.options === written(options) ? followed(had, form) : started(form, options);
    const { draft, fault, amounts } = kept;
    const preview = draft.preview();
    const evaluation = {
      canBeSent: draft.verdict().ok,
      preview,
      amounts: form.Items.map((row) => {
        if (!amounts.has(row)) amounts.set(row, amountOf(row, options));
        return amounts.get(row) ?? null;
      }),
      issues: fault ? [...preview.issues, fault] : preview.issues,
    };
    this.#kept = kept;
    return evaluation;
  }
}

/** A rate that is being typed may be none yet: then the figures do without, and it is said where. */
function started(form: Draft, options: PreviewOptions): Kept {
  const kept = { form, options: written(options), amounts: new WeakMap() };
  const order = orderOf(form) as unknown as SalesOrderInput;
  try {
    return { ...kept, draft: createDraft(order, options) };
  } catch (error) {
    const [, index, member, says] = /^options\.taxRates\[(\d+)\]\.?(\w*)(.*)/.exec((error as Error).message) ?? [];
    if (index === undefined) throw error;
    const path = ['rates', Number(index), member || 'id'];
    const message = `${member || 'The rate'}${says}`;
    const { taxRates: _, ...rest } = options;
    return {
      ...kept,
      draft: createDraft(order, rest),
      fault: { code: 'option', severity: 'error', message, pointer: `/${path.join('/')}`, path },
    };
  }
}

/** Only what is another than before is set. */
function followed(had: Kept, form: Draft): Kept {
  const before = withoutItems(had.form);
  for (const [name, value] of Object.entries(withoutItems(form))) {
    if (written(value) !== written(before[name])) had.draft.set(`/${name}`, value);
  }
  followItems(had.draft, had.form.Items, form.Items);
  return { ...had, form };
}

/** Between the rows that are the same at the start and at the end, some changed, and some came or went. */
function followItems(draft: OrderDraft, had: ItemRow[], rows: ItemRow[]): void {
  const shorter = Math.min(had.length, rows.length);
  let start = 0;
  while (start < shorter && had[start] === rows[start]) start++;
  let same = 0;
  while (same < shorter - start && had.at(-1 - same) === rows.at(-1 - same)) same++;
  const end = rows.length - same;
  rows.slice(start, end).forEach((row, i) => {
    const index = start + i;
    if (index >= had.length - same) draft.addItem(itemOf(row), index);
    else if (row !== had[index]) draft.set(`/Items/${index}`, itemOf(row));
  });
  for (let gone = had.length - rows.length; gone > 0; gone--) draft.removeItem(end);
}

/** It depends on the line alone (D18); those of the order's preview come with a pass over all lines. */
const amountOf = (row: ItemRow, { scale, rounding }: PreviewOptions) =>
  previewOrder({ Items: [itemOf(row)] }, { scale, rounding } as PreviewOptions).lines[0]?.extended ?? null;

const withoutItems = (form: Draft) => orderOf({ ...form, Items: [] });

/** To compare by value; a whole number is not its text. */
const written = (value: unknown) => JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? [`${each}`] : each));
