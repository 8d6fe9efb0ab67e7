import type { Totals } from 'sales-order-intake/slim';
import { type DiscountRow, newDiscount, newRate, newTax, type RateRow, ratesOf, type TaxRow } from './draft';
import { type Directory, locationOf } from './directory';
import { Check, Choice, type Edited, Field, Select } from './field';
import { Rows } from './rows';
import type { SectionProps } from './section';

export function Taxes({ directory, ...order }: SectionProps & { directory: Directory | null }) {
  return (
    <>
      <Choice {...order} name="taxesFrom" label="Source of taxes" />
      {order.values.taxesFrom === 'order' ? <Supplied {...order} /> : <Estimate {...order} directory={directory} />}
      <details>
        <summary>Rounding</summary>
        <div class="fields">
          <Select {...order} name="rounding" label="Round half" />
          <Select {...order} name="roundTaxPer" label="Round tax" />
          <Select {...order} name="scale" label="Fraction digits" />
        </div>
      </details>
    </>
  );
}

const taxFields = (tax: Edited<TaxRow>) => (
  <>
    <Field {...tax} name="TaxId" kind="code" class="wide" />
    <Field {...tax} name="TaxAmount" kind="decimal" />
  </>
);

/** Taxes that are sent with the order: they replace those of the point of sale (§2.1). */
function Supplied(order: SectionProps) {
  const { Taxes } = order.values;
  return (
    <>
      <p class="aside">
        They replace all taxes that the point of sale would calculate. The receipt shows them on the first line (§2.1).
      </p>
      <Rows {...order} what="tax" at="/Taxes" rows={Taxes} blank={newTax} fields={taxFields} />
      {Taxes.length === 0 && (
        <Check {...order} name="allowEmptyTaxes" label="The order has no taxes (allowEmptyTaxes)" />
      )}
      <p class="aside">
        <b class="assumed">Assumed</b> The format of this record is not published: TaxId and TaxAmount are those of
        sibling operations.
      </p>
    </>
  );
}

const rateFields = (rate: Edited<RateRow>) => (
  <>
    <Field {...rate} name="name" label="Name" class="wide" />
    <Field {...rate} name="rate" label="Rate" kind="decimal" />
    <Select {...rate} name="type" label="Type" />
    <Select {...rate} name="layer" label="Calculated on" />
  </>
);
const rateDetails = (rate: Edited<RateRow>) => (
  <Field {...rate} name="catalogItemIds" label="Only for items" kind="code" class="wide" />
);

/** Rates for an estimate of the taxes that the point of sale will calculate (D12). */
function Estimate({ directory, ...order }: SectionProps & { directory: Directory | null }) {
  const { values, edit } = order;
  const known = locationOf(directory, values)?.taxRates ?? [];
  return (
    <>
      <Check {...order} name="estimate" label="Estimate the taxes with these rates (not sent)" />
      {values.estimate && (
        <>
          <Rows
            {...order}
            what="rate"
            class="rates"
            at="/rates"
            rows={values.rates}
            blank={newRate}
            fields={rateFields}
            more={rateDetails}
          />{' '}
          {known.length > 0 && (
            <button type="button" onClick={() => edit({ kind: 'set', at: '/rates', to: ratesOf(known) })}>
              Use the location's rates
            </button>
          )}
          <p class="aside">
            A rate is a fraction (0.05 is five percent), or an amount per unit. <b>Only for items</b>: catalog item ids,
            separated by spaces; empty for all items.
          </p>
        </>
      )}
    </>
  );
}

/** Not a closed list: a draft may have any other value. */
const VALUE_TYPES = [
  ['1', '1: amount'],
  ['2', '2: percent'],
  ['3', '3: unknown'],
] as const;

const discountFields = (discount: Edited<DiscountRow>) => (
  <>
    <Field {...discount} name="Name" class="wide" />
    <Field {...discount} name="Value" kind="decimal" />
    <Select {...discount} name="ValueType" options={VALUE_TYPES} />
  </>
);

export function Discounts({ entries, ...order }: SectionProps & { entries: Totals['discount']['entries'] }) {
  return (
    <>
      <Rows
        {...order}
        what="discount"
        at="/Discount/InvoiceLevel"
        rows={order.values.Discount.InvoiceLevel}
        amounts={entries.map(({ amount }) => amount)}
        blank={newDiscount}
        fields={discountFields}
      />
      <p class="aside">
        <b class="assumed">Assumed</b> The format of this record is not published: its members are those of sibling
        operations. What a ValueType means is not published either: here 1 is an amount and 2 a percentage; with any
        other, the amount is unknown.
      </p>
    </>
  );
}
