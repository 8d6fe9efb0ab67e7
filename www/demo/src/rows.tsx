import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Row } from './draft';
import type { Dispatch } from './edit';
import { Icon, RowMessages } from './field';
import { within, type Said } from './issues';

/** What the fields of a row share. */
export interface InRow {
  edit: Dispatch;
  issues: Said[];
  inRow: true;
}

interface Props<R extends Row> {
  /** In the words of a label: "discount". */
  what: string;
  at: string;
  rows: R[];
  blank: () => R;
  edit: Dispatch;
  issues: Said[];
  /** The fields of a row; those of its second line after them. */
  children: (
    row: R,
    at: string,
    shared: InRow,
    index: number,
  ) => [first: ComponentChildren, second?: ComponentChildren];
}

/** A short list of records that is edited in place. */
export function Rows<R extends Row>({ what, at: list, rows, blank, edit, issues, children }: Props<R>) {
  const focusLater = useFocusAfter(rows);
  const shared: InRow = { edit, issues, inRow: true };
  return (
    <>
      <ol class="rows">
        {rows.map((row, index) => {
          const at = `${list}/${index}`;
          const [first, second] = children(row, at, shared, index);
          return (
            <li class="row" key={row.key} aria-label={`${what} ${index + 1}`} id={at} tabIndex={-1}>
              {first}
              <div class="moves">
                <button
                  type="button"
                  class="small"
                  aria-label={`Remove ${what} ${index + 1}`}
                  onClick={() => {
                    focusLater(`${list}+`);
                    edit({ kind: 'remove', at });
                  }}
                >
                  <Icon name="remove" />
                </button>
              </div>
              {second && <div class="more">{second}</div>}
              <RowMessages issues={within(issues, at)} at={at} />
            </li>
          );
        })}
      </ol>
      <button
        type="button"
        id={`${list}+`}
        onClick={() => {
          focusLater(`${list}/${rows.length}`);
          edit({ kind: 'add', at: list, row: blank() });
        }}
      >
        Add a {what}
      </button>
    </>
  );
}

/** Puts the focus, once the rows have changed, on the element of an id, or on the first field in it. */
export function useFocusAfter(rows: unknown): (id: string) => void {
  const next = useRef('');
  useLayoutEffect(() => {
    const element = next.current ? document.getElementById(next.current) : null;
    (element?.querySelector('input') ?? element)?.focus();
    next.current = '';
  }, [rows]);
  return useRef((id: string) => {
    next.current = id;
  }).current;
}
