import { newRate, newTax, ratesOf } from './draft';
import { locationOf, type Directory } from './directory';
import { Check, Choice, Field, Select } from './field';
import { Rows } from './rows';
import type { SectionProps } from './section';

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
        legend="Who decides"
        name="taxes"
        value={draft.taxesFrom}
        options={SOURCES}
        choose={(to) => edit({ kind: 'set', at: '/taxesFrom', to })}
      />
      {draft.taxesFrom === 'order' ? <Supplied {...section} /> : <Estimate {...section} directory={directory} />}
      <details>
        <summary>How the figures are rounded</summary>
        <div class="fields">
          <Select
            {...shared}
            label="A half goes"
            at="/rounding"
            value={draft.rounding}
            options={[
              ['half-up', 'up, away from zero'],
              ['half-even', 'to the even digit'],
              ['half-down', 'down, towards zero'],
            ]}
          />
          <Select
            {...shared}
            label="Tax is rounded"
            at="/roundTaxPer"
            value={draft.roundTaxPer}
            options={[
              ['line', 'on each line'],
              ['tax', 'once per tax'],
            ]}
          />
          <Select
            {...shared}
            label="Fraction digits"
            at="/scale"
            value={draft.scale}
            options={[...'01234'].map((n) => [n, n] as const)}
          />
        </div>
      </details>
    </>
  );
}

/** Taxes that are sent: they replace those of the point of sale (§2.1 rule 2). */
function Supplied({ draft, edit, issues }: SectionProps) {
  return (
    <>
      <p class="aside">
        They replace all that the point of sale would calculate, and are shown on the first line only (§2.1).
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
          label="No tax at all is meant (allowEmptyTaxes)"
          checked={draft.allowEmptyTaxes}
          set={(to) => edit({ kind: 'set', at: '/allowEmptyTaxes', to })}
        />
      )}
      <p class="aside">
        <b class="assumed">Assumed</b> The record has no published form: TaxId and TaxAmount are those of sibling
        operations (D10).
      </p>
    </>
  );
}

/** Rates for an estimate of what the point of sale will calculate (D12). */
function Estimate({ draft, edit, issues, directory }: SectionProps & { directory: Directory | null }) {
  const known = locationOf(directory, draft)?.taxRates ?? [];
  return (
    <>
      <Check
        label="Estimate the taxes with these rates; they are not sent"
        checked={draft.estimate}
        set={(to) => edit({ kind: 'set', at: '/estimate', to })}
      />
      {draft.estimate && (
        <>
          <Rows what="rate" at="/rates" rows={draft.rates} blank={newRate} edit={edit} issues={issues}>
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
                    ['FlatRate', 'A piece'],
                  ]}
                />
                <Select
                  {...shared}
                  label="On"
                  at={`${at}/layer`}
                  value={row.layer}
                  options={[
                    ['0', 'Price'],
                    ['1', 'Price+tax'],
                  ]}
                />
              </>,
              <Field
                {...shared}
                label="Only for"
                at={`${at}/catalogItemIds`}
                value={row.catalogItemIds}
                kind="code"
                class="wide"
              />,
            ]}
          </Rows>{' '}
          {known.length > 0 && (
            <button type="button" onClick={() => edit({ kind: 'set', at: '/rates', to: ratesOf(known) })}>
              Take the location's rates
            </button>
          )}
          <p class="aside">
            A rate is a fraction: 0.05 is five percent. <b>Only for</b>: catalog item ids, separated by blanks; all
            where empty.
          </p>
        </>
      )}
    </>
  );
}
