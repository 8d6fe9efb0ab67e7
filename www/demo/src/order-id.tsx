import { useEffect, useRef, useState } from 'preact/hooks';
import { derive, newOrderId } from './core';
import { Choice, Field, Icon } from './field';
import type { Said } from './issues';
import type { SectionProps } from './section';

/** The id of the order: a new one, or the one of a cart's key, which is the same each time (D2). */
export function OrderId({ draft, edit, issues, running }: SectionProps & { running: boolean }) {
  const { idFrom, namespace, cartKey } = draft;
  const [times, setTimes] = useState(0);
  const first = useRef('');
  const derived = running && idFrom === 'key' ? derive(draft) : undefined;
  const id = derived && 'id' in derived ? derived.id : '';

  useEffect(() => {
    first.current = id;
    setTimes(id ? 1 : 0);
    if (derived && id !== draft.Id) edit({ kind: 'set', at: '/Id', to: id });
  }, [idFrom, namespace, cartKey, running]);

  const again = () => {
    const next = derive(draft);
    setTimes('id' in next && next.id === first.current ? times + 1 : 0);
  };
  const wrong: Said[] =
    derived && 'wrong' in derived
      ? [{ code: 'key', severity: 'error', message: derived.message, pointer: derived.wrong, path: [] }]
      : [];

  return (
    <div class="fields">
      <Choice
        wide
        legend="Order id"
        name="id-from"
        value={idFrom}
        options={[
          ['new', 'New'],
          ['key', 'From a cart key'],
        ]}
        choose={(to) =>
          edit({
            kind: 'merge',
            members: { idFrom: to as 'new' | 'key', ...(to === 'new' && running && { Id: newOrderId() }) },
          })
        }
      />
      <div class="with-button wide">
        <Field
          edit={edit}
          issues={issues}
          label="Id"
          at="/Id"
          value={draft.Id}
          kind="code"
          hold={idFrom === 'key'}
          note={
            idFrom === 'new'
              ? 'With one id an order is never doubled.'
              : times > 1 && (
                  <span role="status">
                    <Icon name="done" /> Derived {times} times from this key: the same id each time.
                  </span>
                )
          }
        />
        {idFrom === 'new' ? (
          <button type="button" disabled={!running} onClick={() => edit({ kind: 'set', at: '/Id', to: newOrderId() })}>
            New id
          </button>
        ) : (
          <button type="button" disabled={!id} onClick={again}>
            Derive again
          </button>
        )}
      </div>
      {idFrom === 'key' && (
        <>
          <Field
            edit={edit}
            issues={wrong}
            label="Cart key"
            at="/cartKey"
            value={cartKey}
            note="Your own name for the cart: cart-1041"
          />
          <Field
            edit={edit}
            issues={wrong}
            label="Namespace"
            at="/namespace"
            value={namespace}
            kind="code"
            class="wide"
            note="A GUID of your own, kept for good"
          />
        </>
      )}
    </div>
  );
}
