import { useCallback, useState } from 'preact/hooks';
import type { PreviewLine } from 'sales-order-intake/slim';
import { newItem, type ItemRow } from './draft';
import type { Dispatch } from './edit';
import { Field, Icon, RowMessages } from './field';
import type { PageIssue } from './issues';
import { memo } from './memo';
import { useFocusAfter } from './rows';

interface Props {
  items: readonly ItemRow[];
  lines: PreviewLine[];
  issues: Map<number, PageIssue[]>;
  edit: Dispatch;
}

const NO_ISSUES: PageIssue[] = [];

/** The line items, edited in their rows. */
export function Items({ items, lines, issues, edit }: Props) {
  const focusLater = useFocusAfter(items);
  const [announcement, announce] = useState('');

  const move = useCallback((index: number, by: 1 | -1) => {
    focusLater(`/Items/${index + by}${by < 0 ? '^' : 'v'}`);
    edit({ kind: 'move', at: `/Items/${index}`, by });
    announce(`Line ${index + 1} is now line ${index + by + 1}`);
  }, []);
  const remove = useCallback((index: number, count: number) => {
    focusLater(count > 1 ? `/Items/${Math.min(index, count - 2)}` : '/Items+');
    edit({ kind: 'remove', at: `/Items/${index}` });
    announce(`Line ${index + 1} removed`);
  }, []);

  return (
    <>
      <ol class="rows items">
        {items.map((item, index) => (
          <Item
            key={item.key}
            item={item}
            index={index}
            count={items.length}
            amount={lines[index]?.extended ?? null}
            issues={issues.get(index) ?? NO_ISSUES}
            edit={edit}
            move={move}
            remove={remove}
          />
        ))}
      </ol>
      <button
        type="button"
        id="/Items+"
        onClick={() => {
          focusLater(`/Items/${items.length}`);
          edit({ kind: 'add', at: '/Items', row: newItem() });
        }}
      >
        Add a line
      </button>
      <p class="visually-hidden" role="status">
        {announcement}
      </p>
    </>
  );
}

interface ItemProps {
  item: ItemRow;
  index: number;
  count: number;
  amount: string | null;
  issues: PageIssue[];
  edit: Dispatch;
  move: (index: number, by: 1 | -1) => void;
  remove: (index: number, count: number) => void;
}

const Item = memo(({ item, index, count, amount, issues, edit, move, remove }: ItemProps) => {
  const at = `/Items/${index}`;
  const shared = { edit, issues, inRow: true };
  const line = `line ${index + 1}`;
  return (
    <li class="row" aria-label={line} id={at} tabIndex={-1}>
      <span class="number" aria-hidden="true">
        {index + 1}
      </span>
      <Field {...shared} label="Name" at={`${at}/Name`} value={item.Name} class="wide" />
      <Field {...shared} label="Quantity" at={`${at}/Quantity`} value={item.Quantity} kind="decimal" />
      <Field
        {...shared}
        label="Unit price"
        at={`${at}/SellAtPricePerUnit`}
        value={item.SellAtPricePerUnit}
        kind="decimal"
      />
      <p class="amount">
        <span class="label">Amount</span>
        <output>{amount ?? '–'}</output>
      </p>
      <div class="moves">
        <button
          type="button"
          class="small"
          id={`${at}^`}
          aria-label={`Move ${line} up`}
          aria-disabled={index === 0}
          onClick={() => index > 0 && move(index, -1)}
        >
          <Icon name="up" />
        </button>
        <button
          type="button"
          class="small"
          id={`${at}v`}
          aria-label={`Move ${line} down`}
          aria-disabled={index === count - 1}
          onClick={() => index < count - 1 && move(index, 1)}
        >
          <Icon name="down" />
        </button>
        <button type="button" class="small" aria-label={`Remove ${line}`} onClick={() => remove(index, count)}>
          <Icon name="remove" />
        </button>
      </div>
      <div class="more">
        <Field
          {...shared}
          label="Catalog item"
          at={`${at}/CatalogItemId`}
          value={item.CatalogItemId}
          kind="code"
          class="wide"
        />
        <Field {...shared} label="Package" at={`${at}/PackageId`} value={item.PackageId} kind="code" />
        <Field {...shared} label="Batch" at={`${at}/Batch`} value={item.Batch} kind="code" />
      </div>
      <RowMessages issues={issues} at={at} />
    </li>
  );
});
