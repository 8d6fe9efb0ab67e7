import { useEffect, useState } from 'preact/hooks';
import { deriveOrderId, newOrderId } from 'sales-order-intake/slim';
import { Choice, Field, Icon } from './field';
import { optionIssue, type PageIssue } from './issues';
import type { SectionProps } from './section';

/** The id of the order: a new one, or the one that is derived from a cart key, which is the same each time (D2). */
export function OrderId({ isRunning, ...order }: SectionProps & { isRunning: boolean }) {
  const { values, edit } = order;
  const { idFrom, namespace, cartKey } = values;
  const [repeated, setRepeated] = useState({ id: '', times: 1 });
  const derived = isRunning && idFrom === 'key' ? derivedIdOf(namespace, cartKey) : null;
  const { id, issues } = derived ?? { id: '', issues: [] };
  const times = repeated.id === id ? repeated.times : 1;

  useEffect(() => {
    if (derived && id !== values.Id) edit({ kind: 'set', at: '/Id', to: id });
  }, [derived !== null, id]);

  const deriveAgain = () => {
    const { id: again } = derivedIdOf(namespace, cartKey);
    setRepeated({ id: again, times: again === id ? times + 1 : 1 });
  };
  const key = { ...order, issues, class: 'wide' };
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

/** Derives the order Id of a cart key (D2). It is empty if a field is wrong: then there is an issue. */
function derivedIdOf(namespace: string, cartKey: string): { id: string; issues: PageIssue[] } {
  try {
    return { id: deriveOrderId(namespace, cartKey), issues: [] };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const field = isNamespace(namespace) ? '/cartKey' : '/namespace';
    return { id: '', issues: [optionIssue(field, error.message, 'invalid_key')] };
  }
}

/** Returns true if ids can be derived in this namespace, whatever the key. */
function isNamespace(namespace: string): boolean {
  try {
    return deriveOrderId(namespace, 'any key') !== '';
  } catch {
    return false;
  }
}
