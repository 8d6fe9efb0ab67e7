/** Reads the files that the user opens, with the readers of the command line: the same orders, issues and positions. */
import type { PreviewOptions } from 'sales-order-intake/slim';
import { placed, preparedOrder, repeatFinder } from '../../../../cli/files/order-issue';
import { filesOfMapping, ordersOf } from '../../../../cli/files/orders';
import type { SourceOrder } from '../../../../cli/files/source-order';
import { fileProblem, Problem } from '../../../../cli/problem';
import { draftOf, emptyDraft, isRecord, newDiscount, newItem, newTax, type RestoredDraft } from '../draft';
import type { PageIssue } from '../issues';
import { provide } from './node';

/** An order of a file. */
export interface FileOrder {
  /** The key, or else the number in the file. */
  name: string;
  line: number;
  json: string;
  isSkipped: boolean;
  issues: (Pick<PageIssue, 'severity' | 'message' | 'hint'> & { code: string; line: number; column: number })[];
}

/** The file with the orders, and the mapping if that file is CSV. */
export interface Roles {
  orders: File;
  isTable: boolean;
  mapping: File | undefined;
}

const isTable = ({ name }: File) => /\.(?:csv|tsv)$/i.test(name);

/** Finds out which of the files has the orders. @throws Problem if that is not clear. */
export async function rolesOf(files: readonly File[]): Promise<Roles> {
  provide(files);
  const tables = files.filter(isTable);
  if (tables.length === 0 && files.length === 1)
    return { orders: files[0] as File, isTable: false, mapping: undefined };
  if (tables.length === 0)
    throw fileProblem('These are several files', 'Open one file with orders, or CSV with a mapping.');
  const mapping = await mappingAmong(files);
  // What is wrong with the mapping is reported when it is used.
  const lookups = mapping ? await filesOfMapping(mapping.name).catch(() => []) : [];
  const orders = tables.find(({ name }) => !lookups.includes(name)) ?? tables[0];
  return { orders: orders as File, isTable: true, mapping };
}

/** Finds the mapping by its members: other JSON files have what it looks up. */
async function mappingAmong(files: readonly File[]): Promise<File | undefined> {
  const others = files.filter((file) => !isTable(file));
  let broken: File | undefined;
  for (const file of others) {
    try {
      const value: unknown = JSON.parse(await file.text());
      if (isRecord(value) && ('items' in value || 'key' in value)) return file;
    } catch {
      broken ??= file;
    }
  }
  // Its reader says what is wrong with it.
  return broken ?? (others.length === 1 ? others[0] : undefined);
}

/** Reading goes on in another task after this many milliseconds. */
const TASK_MS = 50;

/** Reads the orders of a file. @throws Problem if it cannot be read as orders. */
export async function readOrders(
  files: readonly File[],
  { orders: { name }, mapping }: Roles,
  options: PreviewOptions,
  report: (count: number) => void,
): Promise<FileOrder[]> {
  provide(files);
  const found: FileOrder[] = [];
  const repeatsIn = repeatFinder();
  let since = performance.now();
  for await (const order of await ordersOf(name, options, mapping?.name)) {
    found.push(fileOrder(order, found.length + 1, repeatsIn, options));
    if (performance.now() - since < TASK_MS) continue;
    report(found.length);
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  }
  return found;
}

function fileOrder(
  order: SourceOrder,
  number: number,
  repeatsIn: ReturnType<typeof repeatFinder>,
  options: PreviewOptions,
): FileOrder {
  const { key, json, start, isSkipped } = order;
  const common = { name: key ?? `Order ${number}`, line: start.line, json, isSkipped };
  if (isSkipped) return { ...common, issues: [] };
  const { orderId, issues } = preparedOrder(order, options);
  const all = placed(order, issues, [...repeatsIn(order, orderId), ...order.fileIssues]);
  return {
    ...common,
    issues: all.map(({ issue: { severity, message, hint, code }, span: { line, column } }) => ({
      ...{ severity, message, code, line, column },
      ...(hint !== undefined && { hint }),
    })),
  };
}

/** Says what can be done about a problem. */
export function describe(error: unknown): { message: string; hint: string } {
  if (!(error instanceof Problem)) return { message: String(error), hint: '' };
  const isMissing = error.message.includes('there is no file');
  return {
    message: error.message,
    hint: error.hint ?? (isMissing ? 'Open it together with the other files: choose or drop all of them at once.' : ''),
  };
}

/** The members that the form has fields for. */
const MEMBERS = [emptyDraft(), newItem(), newDiscount(), newTax(), { InvoiceLevel: [] }]
  .flatMap((record) => Object.keys(record))
  .filter((name) => /^[A-Z]/.test(name));

/** An order for the form, and the members that it has no fields for. */
interface FormOrder extends RestoredDraft {
  unknown: string[];
}

/** Returns null for JSON that is no order. Decimals keep their digits if the browser has the source of numbers. */
export function draftOfJson(json: string): FormOrder | null {
  const unknown = new Set<string>();
  const revive = (_: string, value: unknown, context?: { source?: string }): unknown => {
    if (typeof value === 'number') return context?.source ?? value;
    if (!isRecord(value)) return value;
    const members = Object.entries(value);
    for (const [name, member] of members) if (!MEMBERS.includes(name) && member !== null) unknown.add(name);
    return Object.fromEntries(members.filter(([name]) => MEMBERS.includes(name)));
  };
  try {
    const order: unknown = JSON.parse(json, revive);
    return isRecord(order) ? { ...draftOf({ order }), unknown: [...unknown] } : null;
  } catch {
    return null;
  }
}
