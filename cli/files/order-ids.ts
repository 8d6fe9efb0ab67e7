import { parseGuid } from 'sales-order-intake';
import { FirstPositions } from './first-positions.js';
import { MOST_CHARACTERS } from './record-text.js';
import type { FileIssue, SourceOrder } from './source-order.js';

/** Finds orders of the input that have the same Id. */
export class OrderIds {
  readonly #seen = new FirstPositions();
  readonly #files: string[] = [];

  /** Returns the issue of an order whose Id an earlier order has. */
  repeated(order: SourceOrder): FileIssue | undefined {
    const id = parseGuid(idIn(order.json) ?? '');
    if (id === null) return undefined;
    const span = order.spanOf(['Id'], 'value');
    if (this.#files.at(-1) !== order.file) this.#files.push(order.file);
    const { line, column } = span;
    const earlier = this.#seen.earlier(id, { file: this.#files.length - 1, line, column });
    if (!earlier) return undefined;
    const message = `Id is also that of the order at ${this.#files[earlier.file]}:${earlier.line}:${earlier.column}`;
    return { code: 'duplicate_order_id', message, hint: 'give each order an Id of its own', span };
  }
}

/** The Id as the order has it. Only that is read: digits of other members do not pass through JavaScript numbers. */
function idIn(json: string): string | undefined {
  if (json.length > MOST_CHARACTERS) return undefined;
  try {
    const { Id } = JSON.parse(json) as { Id?: unknown };
    return typeof Id === 'string' ? Id : undefined;
  } catch {
    return undefined;
  }
}
