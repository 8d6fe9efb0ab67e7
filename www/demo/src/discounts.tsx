import type { Totals } from 'sales-order-intake/slim';
import { newDiscount } from './draft';
import { Field, Select } from './field';
import { Rows } from './rows';
import type { SectionProps } from './section';

const VALUE_TYPES = [
  ['1', '1: amount'],
  ['2', '2: percent'],
  ['3', '3: unknown'],
] as const;

interface Props extends SectionProps {
  entries: Totals['discount']['entries'];
}

export function Discounts({ draft, edit, issues, entries }: Props) {
  return (
    <>
      <Rows
        what="discount"
        at="/Discount/InvoiceLevel"
        rows={draft.Discount.InvoiceLevel}
        blank={newDiscount}
        edit={edit}
        issues={issues}
      >
        {(row, at, shared, index) => [
          <>
            <Field {...shared} label="Name" at={`${at}/Name`} value={row.Name} class="wide" />
            <Field {...shared} label="Value" at={`${at}/Value`} value={row.Value} kind="decimal" />
            <Select {...shared} label="ValueType" at={`${at}/ValueType`} value={row.ValueType} options={VALUE_TYPES} />
            <p class="amount">
              <span class="label">Amount</span>
              <output>{entries[index]?.amount ?? '–'}</output>
            </p>
          </>,
        ]}
      </Rows>
      <p class="aside">
        <b class="assumed">Assumed</b> The format of this record is not published: its members are those of sibling
        operations. What a ValueType means is not published either: here 1 is an amount and 2 a percentage; with any
        other, the amount is unknown.
      </p>
    </>
  );
}
