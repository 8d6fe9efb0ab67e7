import { deriveOrderId, parseGuid } from 'sales-order-intake/slim';

/** The id of a cart key, or why there is none, and which field is wrong. */
export type DerivedId =
  | { id: string; field?: never; message?: never }
  | { id: null; field: '/namespace' | '/cartKey'; message: string };

/** Derives the order Id of a cart key (D2). */
export function derivedIdOf(namespace: string, cartKey: string): DerivedId {
  try {
    return { id: deriveOrderId(namespace, cartKey) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { id: null, field: isNamespace(namespace) ? '/cartKey' : '/namespace', message: error.message };
  }
}

/** Returns true if ids can be derived in this namespace, whatever the key. */
function isNamespace(namespace: string): boolean {
  if (parseGuid(namespace) === null) return false;
  try {
    return deriveOrderId(namespace, 'any key') !== '';
  } catch {
    return false;
  }
}
