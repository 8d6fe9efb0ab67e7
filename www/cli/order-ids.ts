import { parseGuid } from 'sales-order-intake';
import type { FileIssue, SourceOrder } from './source/source-order.js';
import type { Position } from './source/position.js';

/** Finds orders of the input that have the same Id. */
export class OrderIds {
  readonly #seen = new Map<string, { file: string } & Position>();

  /** Returns the issue of an order whose Id an earlier order has. */
  repeated(order: SourceOrder): FileIssue | undefined {
    const span = order.spanOf(['Id'], 'value');
    const id = parseGuid(idIn(order.json) ?? '');
    if (id === null) return undefined;
    const earlier = this.#seen.get(id);
    if (!earlier) {
      this.#seen.set(id, { file: order.file, line: span.line, column: span.column });
      return undefined;
    }
    const message = `Id is also that of the order at ${earlier.file}:${earlier.line}:${earlier.column}`;
    return { code: 'duplicate_order_id', severity: 'error', message, hint: 'give each order an Id of its own', span };
  }
}

/** The Id as the order has it. Only that is read: digits of other members do not pass through JavaScript numbers. */
function idIn(json: string): string | undefined {
  try {
    const { Id } = JSON.parse(json) as { Id?: unknown };
    return typeof Id === 'string' ? Id : undefined;
  } catch {
    return undefined;
  }
}
