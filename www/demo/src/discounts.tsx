import { newDiscount } from './draft';
import { Field, Select } from './field';
import { Rows } from './rows';
import type { SectionProps } from './section';

const VALUE_TYPES = [
  ['1', '1: amount'],
  ['2', '2: percent'],
  ['3', '3: not known here'],
] as const;

export function Discounts({ draft, edit, issues, amounts }: SectionProps & { amounts: (string | null)[] }) {
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
              <output>{amounts[index] ?? '–'}</output>
            </p>
          </>,
        ]}
      </Rows>
      <p class="aside">
        <b class="assumed">Assumed</b> The record has no published form: its members are those of sibling operations
        (D13), and what a ValueType means is published nowhere. Here 1 is an amount and 2 a percentage (D14); of any
        other the amount is unknown.
      </p>
    </>
  );
}
