import { parseGuid } from 'sales-order-intake';
import type { FileIssue, SourceOrder } from './order-source.js';
import { CORE_LIMIT } from './text-chunks.js';

/** Finds orders of the input that have the same Id. */
export class OrderIds {
  /** Where each Id is first. */
  readonly #seen = new Map<string, string>();

  /** Returns the issue of an order whose Id an earlier order has. */
  repeated(order: SourceOrder): FileIssue | undefined {
    const id = parseGuid(idIn(order.json) ?? '');
    if (id === null) return undefined;
    const span = order.spanOf(['Id'], 'value');
    const earlier = this.#seen.get(id);
    if (earlier === undefined) {
      this.#seen.set(id, `${order.file}:${span.line}:${span.column}`);
      return undefined;
    }
    const message = `Id is also that of the order at ${earlier}`;
    return { code: 'duplicate_order_id', message, hint: 'give each order an Id of its own', span };
  }
}

/** The Id as the order has it. Only that is read: digits of other members do not pass through JavaScript numbers. */
function idIn(json: string): string | undefined {
  if (json.length > CORE_LIMIT) return undefined;
  try {
    const { Id } = JSON.parse(json) as { Id?: unknown };
    return typeof Id === 'string' ? Id : undefined;
  } catch {
    return undefined;
  }
}
