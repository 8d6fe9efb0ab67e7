/** What the page asks the core besides the verdict and the figures, which are live-order.ts. No rule and no sum is anywhere else. */
import {
  deriveOrderId,
  init,
  newOrderId,
  parseGuid,
  prepareRequest,
  readError,
  type PreparedRequest,
} from 'sales-order-intake/slim';
import coreUrl from 'sales-order-intake/core.wasm?url';
import { orderOf, rulesOf, type Draft } from './draft';

/** Apart from the script, so that both load at the same time and the form can be used before. */
export const startCore = (): Promise<void> => init(new URL(coreUrl, import.meta.url));

export { newOrderId };

/** @throws OrderValidationError where the order can't be sent. */
export function prepare(draft: Draft): PreparedRequest {
  return prepareRequest(orderOf(draft), rulesOf(draft));
}

/** The id of a cart's key; where there is none, the field that is wrong. */
export function derive({
  namespace,
  cartKey,
}: Draft): { id: string } | { wrong: '/namespace' | '/cartKey'; message: string } {
  try {
    return { id: deriveOrderId(namespace, cartKey) };
  } catch (error) {
    const message = String((error as Error).message).replace(/^\w+: /, '');
    return { wrong: parseGuid(namespace) === null ? '/namespace' : '/cartKey', message };
  }
}

/** What the service says in its own words; null where it gives no reason. */
export const reasonIn = (body: string): string | null => readError(body).detail;
