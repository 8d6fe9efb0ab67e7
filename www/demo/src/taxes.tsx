import { CHOICES, newDiscount, newRate, newTax, ratesOf } from './draft';
import { type Directory, locationOf } from './directory';
import { Check, Choice, Field, Select } from './field';
import { Rows } from './rows';
import type { SectionProps } from './section';
import type { Totals } from 'sales-order-intake/slim';

const SOURCES = [
  ['point-of-sale', 'The point of sale calculates taxes'],
  ['order', 'I supply the taxes'],
] as const;

export function Taxes({ directory, ...section }: SectionProps & { directory: Directory | null }) {
  const { draft, edit, issues } = section;
  const shared = { edit, issues };
  return (
    <>
      <Choice
        legend="Source of taxes"
        name="taxes"
        value={draft.taxesFrom}
        options={SOURCES}
        choose={(to) => edit({ kind: 'set', at: '/taxesFrom', to })}
      />
      {draft.taxesFrom === 'order' ? <Supplied {...section} /> : <Estimate {...section} directory={directory} />}
      <details>
        <summary>Rounding</summary>
        <div class="fields">
          <Select
            {...shared}
            label="Round half"
            at="/rounding"
            value={draft.rounding}
            options={[
              ['half-up', 'Up'],
              ['half-even', 'To even'],
              ['half-down', 'Down'],
            ]}
          />
          <Select
            {...shared}
            label="Round tax"
            at="/roundTaxPer"
            value={draft.roundTaxPer}
            options={[
              ['line', 'On each line'],
              ['tax', 'Once per tax'],
            ]}
          />
          <Select
            {...shared}
            label="Fraction digits"
            at="/scale"
            value={draft.scale}
            options={CHOICES.scale.map((digits) => [digits, digits] as const)}
          />
        </div>
      </details>
    </>
  );
}

/** Taxes that are sent with the order: they replace those of the point of sale (§2.1). */
function Supplied({ draft, edit, issues }: SectionProps) {
  return (
    <>
      <p class="aside">
        They replace all taxes that the point of sale would calculate. The receipt shows them on the first line (§2.1).
      </p>
      <Rows what="tax" at="/Taxes" rows={draft.Taxes} blank={newTax} edit={edit} issues={issues}>
        {(row, at, shared) => [
          <>
            <Field {...shared} label="TaxId" at={`${at}/TaxId`} value={row.TaxId} kind="code" class="wide" />
            <Field {...shared} label="TaxAmount" at={`${at}/TaxAmount`} value={row.TaxAmount} kind="decimal" />
          </>,
        ]}
      </Rows>
      {draft.Taxes.length === 0 && (
        <Check
          label="The order has no taxes (allowEmptyTaxes)"
          checked={draft.allowEmptyTaxes}
          set={(to) => edit({ kind: 'set', at: '/allowEmptyTaxes', to })}
        />
      )}
      <p class="aside">
        <b class="assumed">Assumed</b> The format of this record is not published: TaxId and TaxAmount are those of
        sibling operations.
      </p>
    </>
  );
}

/** Rates for an estimate of the taxes that the point of sale will calculate (D12). */
function Estimate({ draft, edit, issues, directory }: SectionProps & { directory: Directory | null }) {
  const known = locationOf(directory, draft)?.taxRates ?? [];
  return (
    <>
      <Check
        label="Estimate the taxes with these rates (not sent)"
        checked={draft.estimate}
        set={(to) => edit({ kind: 'set', at: '/estimate', to })}
      />
      {draft.estimate && (
        <>
          <Rows what="rate" class="rates" at="/rates" rows={draft.rates} blank={newRate} edit={edit} issues={issues}>
            {(row, at, shared) => [
              <>
                <Field {...shared} label="Name" at={`${at}/name`} value={row.name} class="wide" />
                <Field {...shared} label="Rate" at={`${at}/rate`} value={row.rate} kind="decimal" />
                <Select
                  {...shared}
                  label="Type"
                  at={`${at}/type`}
                  value={row.type}
                  options={[
                    ['Percentage', 'Fraction'],
                    ['FlatRate', 'Per unit'],
                  ]}
                />
                <Select
                  {...shared}
                  label="Calculated on"
                  at={`${at}/layer`}
                  value={row.layer}
                  options={[
                    ['0', 'Price'],
                    ['1', 'Price + tax'],
                  ]}
                />
              </>,
              <Field
                {...shared}
                label="Only for items"
                at={`${at}/catalogItemIds`}
                value={row.catalogItemIds}
                kind="code"
                class="wide"
              />,
            ]}
          </Rows>{' '}
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
