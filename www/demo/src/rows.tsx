import type { ComponentChildren } from 'preact';
import { useCallback, useLayoutEffect, useRef } from 'preact/hooks';
import type { Row } from './draft';
import type { Dispatch } from './edit';
import { Icon, RowMessages } from './field';
import { issuesWithin, type PageIssue } from './issues';

/** Props that the fields of a row share. */
export interface InRow {
  edit: Dispatch;
  issues: PageIssue[];
  inRow: true;
}

interface Props<R extends Row> {
  /** The name of one record in labels: "discount". */
  what: string;
  class?: string;
  at: string;
  rows: readonly R[];
  blank: () => R;
  edit: Dispatch;
  issues: PageIssue[];
  /** Returns the fields of a row: those of its first line, and of its second line if it has one. */
  children: (
    row: R,
    at: string,
    shared: InRow,
    index: number,
  ) => [first: ComponentChildren, second?: ComponentChildren];
}

/** A short list of records, edited in its rows. */
export function Rows<R extends Row>({
  what,
  class: name = '',
  at: list,
  rows,
  blank,
  edit,
  issues,
  children,
}: Props<R>) {
  const focusLater = useFocusAfter(rows);
  const shared: InRow = { edit, issues, inRow: true };
  return (
    <>
      <ol class={`rows ${name}`}>
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
              <RowMessages issues={issuesWithin(issues, at)} at={at} />
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

/** Returns a function that moves the focus to an element, or to the first field in it, after the next change of the rows. */
export function useFocusAfter(rows: unknown): (id: string) => void {
  const next = useRef('');
  useLayoutEffect(() => {
    const element = next.current ? document.getElementById(next.current) : null;
    (element?.querySelector('input') ?? element)?.focus();
    next.current = '';
  }, [rows]);
  return useCallback((id: string) => {
    next.current = id;
  }, []);
}
