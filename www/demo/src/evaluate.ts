/** Everything the page asks the core about an order. No rule and no sum is anywhere else on this page. */
import {
  deriveOrderId,
  init,
  newOrderId,
  parseGuid,
  prepareRequest,
  previewOrder,
  readError,
  validateOrder,
  type Issue,
  type PreparedRequest,
  type Preview,
  type PreviewOptions,
} from 'sales-order-intake/slim';
import coreUrl from 'sales-order-intake/core.wasm?url';
import { orderOf, previewOptionsOf, rulesOf, type Draft } from './draft';

export interface Evaluation {
  canBeSent: boolean;
  preview: Preview;
  /** Of the order and of what the figures depend on. */
  issues: Issue[];
}

/** Apart from the script, so that both load at the same time and the form can be used before. */
export const startCore = (): Promise<void> => init(new URL(coreUrl, import.meta.url));

export { newOrderId };

export function evaluate(draft: Draft, explain: boolean): Evaluation {
  const order = orderOf(draft);
  const { preview, fault } = previewed(order, { ...previewOptionsOf(draft), explain });
  return {
    canBeSent: validateOrder(order, rulesOf(draft)).ok,
    preview,
    issues: fault ? [...preview.issues, fault] : preview.issues,
  };
}

/** @throws OrderValidationError where the order can't be sent. */
export function prepare(draft: Draft): PreparedRequest {
  return prepareRequest(orderOf(draft), rulesOf(draft));
}

/** The id of a cart's key; where there is none, the field that is wrong. */
export function derive({ namespace, cartKey }: Draft): { id: string } | { wrong: '/namespace' | '/cartKey'; message: string } {
  try {
    return { id: deriveOrderId(namespace, cartKey) };
  } catch (error) {
    const message = String((error as Error).message).replace(/^\w+: /, '');
    return { wrong: parseGuid(namespace) === null ? '/namespace' : '/cartKey', message };
  }
}

/** A rate that is being typed may be none yet: then the figures do without, and it is said where. */
function previewed(order: object, options: PreviewOptions): { preview: Preview; fault?: Issue } {
  try {
    return { preview: previewOrder(order, options) };
  } catch (error) {
    const [, index, member, says] = /^options\.taxRates\[(\d+)\]\.?(\w*)(.*)/.exec((error as Error).message) ?? [];
    if (index === undefined) throw error;
    const path = ['rates', Number(index), member || 'id'];
    const message = `${member || 'The rate'}${says}`;
    const { taxRates: _, ...rest } = options;
    return { preview: previewOrder(order, rest), fault: { code: 'option', severity: 'error', message, pointer: `/${path.join('/')}`, path } };
  }
}

/** What the service says in its own words; null where it gives no reason. */
export const reasonIn = (body: string): string | null => readError(body).detail;
