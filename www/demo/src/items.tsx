import { Component } from 'preact';
import { useRef } from 'preact/hooks';
import { newItem, type ItemRow } from './draft';
import type { Dispatch } from './edit';
import { Field, Icon, RowMessages } from './field';
import { ofItem, type Said } from './issues';
import { useFocusAfter } from './rows';

interface Props {
  items: ItemRow[];
  /** What each line comes to. */
  amounts: (string | null)[];
  issues: Map<number, Said[]>;
  edit: Dispatch;
}

/** The line items, edited in place. */
export function Items({ items, amounts, issues, edit }: Props) {
  const focusLater = useFocusAfter(items);
  const status = useRef<HTMLParagraphElement>(null);

  const say = (text: string) => {
    if (status.current) status.current.textContent = text;
  };
  const move = useRef((index: number, by: 1 | -1) => {
    focusLater(`/Items/${index + by}${by < 0 ? '^' : 'v'}`);
    edit({ kind: 'move', at: `/Items/${index}`, by });
    say(`Line ${index + 1} is line ${index + by + 1} now`);
  }).current;
  const remove = useRef((index: number, count: number) => {
    focusLater(count > 1 ? `/Items/${Math.min(index, count - 2)}` : '/Items+');
    edit({ kind: 'remove', at: `/Items/${index}` });
    say(`Line ${index + 1} removed`);
  }).current;

  return (
    <>
      <ol class="rows items">
        {items.map((item, index) => (
          <Item
            key={item.key}
            item={item}
            index={index}
            count={items.length}
            amount={amounts[index] ?? null}
            issues={ofItem(issues, index)}
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
      <p class="unseen" role="status" ref={status} />
    </>
  );
}

interface ItemProps {
  item: ItemRow;
  index: number;
  count: number;
  amount: string | null;
  issues: Said[];
  edit: Dispatch;
  move: (index: number, by: 1 | -1) => void;
  remove: (index: number, count: number) => void;
}

/** Drawn again only where its own line changed: an order may have hundreds. */
class Item extends Component<ItemProps> {
  override shouldComponentUpdate(next: ItemProps): boolean {
    return (Object.keys(next) as (keyof ItemProps)[]).some((name) => next[name] !== this.props[name]);
  }

  render() {
    const { item, index, count, amount, issues, edit, move, remove } = this.props;
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
  }
}
