import type { ComponentChild } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Row } from './draft';
import type { Dispatch } from './edit';
import { Decimal, type Edited, Icon, RowMessages } from './field';
import { issuesByRow, type PageIssue } from './issues';
import { memo } from './memo';

interface Content<R extends Row> {
  /** The name of one record in labels: "discount". */
  what: string;
  edit: Dispatch;
  /** The fields of a row's first line, and of its second line if it has one. */
  fields: (row: Edited<R>) => ComponentChild;
  more?: (row: Edited<R>) => ComponentChild;
  /** The order of the rows matters: they have numbers, and can be moved. */
  movable?: boolean;
}

interface RowsProps<R extends Row> extends Content<R> {
  class?: string;
  at: string;
  rows: readonly R[];
  /** The calculated amount of each row, if it has one. */
  amounts?: readonly (string | null)[];
  blank: () => R;
  issues: PageIssue[];
}

const NO_ISSUES: PageIssue[] = [];

/** A list of records, edited in its rows. */
export function Rows<R extends Row>({
  class: className = '',
  at,
  rows,
  amounts,
  blank,
  issues,
  ...content
}: RowsProps<R>) {
  const { what, edit } = content;
  const [announcement, announce] = useState('');
  const focusLater = useFocusAfter(rows);
  const byRow = issuesByRow(issues, at);
  const changed = useCallback((focus: string, announcement: string) => {
    focusLater(focus);
    announce(announcement);
  }, []);
  return (
    <>
      <ol class={`rows ${className}`}>
        {rows.map((row, index) => (
          <ListRow
            {...content}
            key={row.key}
            row={row}
            list={at}
            index={index}
            count={rows.length}
            amount={amounts && (amounts[index] ?? '–')}
            issues={byRow.get(index) ?? NO_ISSUES}
            changed={changed}
          />
        ))}
      </ol>
      <p class="visually-hidden" role="status">
        {announcement}
      </p>
      <button
        type="button"
        id={`${at}+`}
        onClick={() => {
          focusLater(`${at}/${rows.length}`);
          edit({ kind: 'add', at, row: blank() });
        }}
      >
        Add a {what}
      </button>
    </>
  );
}

interface ListRowProps extends Content<never> {
  row: Row;
  list: string;
  index: number;
  count: number;
  amount: string | undefined;
  issues: PageIssue[];
  /** Moves the focus after the change, and announces the change. */
  changed: (focus: string, announcement: string) => void;
}

const ListRow = memo((props: ListRowProps) => {
  const { what, edit, fields, more, movable, row, list, index, count, amount, issues, changed } = props;
  const at = `${list}/${index}`;
  const name = `${what} ${index + 1}`;
  const record = { values: row as never, at, edit, issues, inRow: true };
  const moveButton = (icon: 'up' | 'down', by: 1 | -1, end: string) => (
    <RowButton
      icon={icon}
      label={`Move ${name} ${icon}`}
      id={`${at}${end}`}
      disabled={index + by < 0 || index + by === count}
      press={() => {
        edit({ kind: 'move', at, by });
        changed(`${list}/${index + by}${end}`, `${name} is now ${what} ${index + by + 1}`);
      }}
    />
  );
  const remove = () => {
    edit({ kind: 'remove', at });
    changed(count > 1 ? `${list}/${Math.min(index, count - 2)}` : `${list}+`, `${name} removed`);
  };
  return (
    <li class="row" aria-label={name} id={at} tabIndex={-1}>
      {movable && (
        <span class="number" aria-hidden="true">
          {index + 1}
        </span>
      )}
      {fields(record)}
      {amount !== undefined && (
        <p class="amount">
          <span class="label">Amount</span>
          <output>
            <Decimal text={amount} />
          </output>
        </p>
      )}
      <div class="moves">
        {movable && moveButton('up', -1, '^')}
        {movable && moveButton('down', 1, 'v')}
        <RowButton icon="remove" label={`Remove ${name}`} press={remove} />
      </div>
      {more && <div class="more">{more(record)}</div>}
      <RowMessages issues={issues} at={at} />
    </li>
  );
});

interface RowButtonProps {
  icon: 'up' | 'down' | 'remove';
  label: string;
  id?: string;
  disabled?: boolean;
  press: () => void;
}

/** A disabled button keeps the focus. */
function RowButton({ icon, label, id, disabled, press }: RowButtonProps) {
  return (
    <button
      type="button"
      class="small"
      id={id}
      aria-label={label}
      aria-disabled={disabled}
      onClick={() => disabled || press()}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Returns a function that moves the focus to an element, or to the first field in it, after the next change of the rows. */
function useFocusAfter(rows: unknown): (id: string) => void {
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
