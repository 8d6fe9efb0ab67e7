import { useEffect, useState } from 'preact/hooks';
import { deriveOrderId, newOrderId, parseGuid } from 'sales-order-intake/slim';
import { Choice, Field, Icon } from './field';
import { optionIssue } from './issues';
import type { SectionProps } from './section';

/** The id of the order: a new one, or the one that is derived from a cart key, which is the same each time (D2). */
export function OrderId({ isRunning, ...order }: SectionProps & { isRunning: boolean }) {
  const { values, edit } = order;
  const { idFrom, namespace, cartKey } = values;
  const [repeated, setRepeated] = useState({ id: '', times: 1 });
  const derived = isRunning && idFrom === 'key' ? derivedIdOf(namespace, cartKey) : null;
  const id = derived?.id ?? '';
  const times = repeated.id === id ? repeated.times : 1;

  useEffect(() => {
    if (derived && id !== values.Id) edit({ kind: 'set', at: '/Id', to: id });
  }, [derived !== null, id]);

  const deriveAgain = () => {
    const again = derivedIdOf(namespace, cartKey).id ?? '';
    setRepeated({ id: again, times: again === id ? times + 1 : 1 });
  };
  const cartKeyIssues = derived?.field ? [optionIssue(derived.field, derived.message, 'invalid_key')] : [];
  const key = { ...order, issues: cartKeyIssues, class: 'wide' };
  const idNote =
    idFrom === 'new' ? (
      'Every attempt to send the order has this Id, so the service can recognise it.'
    ) : times > 1 ? (
      <span role="status">
        <Icon name="done" /> Derived {times} times from this key: the same Id each time.
      </span>
    ) : undefined;

  return (
    <div class="fields">
      <Choice
        {...order}
        class="wide"
        name="idFrom"
        label="Order Id"
        edit={({ to }) =>
          edit({ kind: 'merge', members: to === 'key' ? { idFrom: 'key' } : { idFrom: 'new', Id: newOrderId() } })
        }
      />
      <div class="with-button wide">
        <Field {...order} name="Id" kind="code" readOnly={idFrom === 'key'} note={idNote} />
        {idFrom === 'new' ? (
          <button type="button" onClick={() => edit({ kind: 'set', at: '/Id', to: newOrderId() })}>
            New Id
          </button>
        ) : (
          <button type="button" disabled={!id} onClick={deriveAgain}>
            Derive again
          </button>
        )}
      </div>
      {idFrom === 'key' && (
        <>
          <Field {...key} name="cartKey" label="Cart key" note="Your key for the cart, for example cart-1041" />
          <Field {...key} name="namespace" label="Namespace" kind="code" note="A GUID of your own; never change it" />
        </>
      )}
    </div>
  );
}

/** The id of a cart key, or why there is none, and which field is wrong. */
type DerivedId =
  | { id: string; field?: never; message?: never }
  | { id: null; field: '/namespace' | '/cartKey'; message: string };

/** Derives the order Id of a cart key (D2). */
function derivedIdOf(namespace: string, cartKey: string): DerivedId {
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
