/** The parts of the order beside its lines. */
import type { ComponentChildren } from 'preact';
import { newDiscount, newRate, newTax, ratesOf, type Draft } from './draft';
import type { Directory } from './directory';
import { locationOf } from './directory';
import type { Dispatch } from './edit';
import { Check, Choice, Field, Icon, RowMessages, Select } from './field';
import { within, type Said } from './issues';

export interface SectionProps {
  draft: Draft;
  edit: Dispatch;
  issues: Said[];
}

export function Section({ title, at, children }: { title: string; at: string; children: ComponentChildren }) {
  return (
    <section class="card" id={at} tabIndex={-1} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

const PRICING = [['', 'None or unknown'], ['Exclusive', 'Exclusive'], ['Inclusive', 'Inclusive']] as const;

export function Place({ draft, edit, issues, directory }: SectionProps & { directory: Directory | null }) {
  const shared = { edit, issues };
  const known = locationOf(directory, draft);
  return (
    <div class="fields">
      {directory && (
        <div class="field wide">
          <label for="location">Location</label>
          <select
            id="location"
            value={known ? `${known.companyId}/${known.entityId}` : ''}
            onChange={(event) => {
              const [CompanyId = '', EntityId = ''] = event.currentTarget.value.split('/');
              const chosen = locationOf(directory, { CompanyId, EntityId });
              if (!chosen) return;
              const rates = ratesOf(chosen.taxRates);
              const locationTaxPricing = chosen.taxPricing ?? '';
              edit({ kind: 'merge', members: { CompanyId, EntityId, locationTaxPricing, rates, estimate: rates.length > 0 } });
            }}
          >
            <option value="">Another one: give its ids</option>
            {directory.companies.map(({ companyId, name, locations }) =>
              locations.map((location) => (
                <option value={`${companyId}/${location.entityId}`}>
                  {name}, {location.name}
                  {location.taxPricing === 'Inclusive' && ' (prices with tax)'}
                </option>
              )),
            )}
          </select>
          <p class="said">Sets the ids, the tax pricing and the rates below.</p>
        </div>
      )}
      <Field {...shared} label="CompanyId" at="/CompanyId" value={draft.CompanyId} kind="digits" note={known?.company} />
      <Field {...shared} label="EntityId" at="/EntityId" value={draft.EntityId} kind="digits" note={known?.name ?? 'The location'} />
      <Field {...shared} label="IntegratorId" at="/IntegratorId" value={draft.IntegratorId} kind="code" class="wide" list="integrators"
        note={directory?.integrators.find(({ integratorId }) => integratorId === draft.IntegratorId)?.name} />
      <datalist id="integrators">{directory?.integrators.map(({ integratorId, name }) => <option value={integratorId}>{name}</option>)}</datalist>
      <Select {...shared} label="Location's tax pricing" at="/locationTaxPricing" value={draft.locationTaxPricing} options={PRICING} />
      <Choice legend="Version" name="version" value={draft.version} options={[['v2', 'v2'], ['v3', 'v3']]}
        choose={(version) => edit({ kind: 'set', at: '/version', to: version })} />
    </div>
  );
}

export function Customer({ draft, edit, issues }: SectionProps) {
  const shared = { edit, issues };
  return (
    <>
      <div class="fields">
        <Field {...shared} label="FirstName" at="/FirstName" value={draft.FirstName} />
        <Field {...shared} label="LastName" at="/LastName" value={draft.LastName} />
        <Field {...shared} label="CustomerId" at="/CustomerId" value={draft.CustomerId} kind="code" class="wide" />
        <Field {...shared} label="TimeSlotDisplayString" at="/TimeSlotDisplayString" value={draft.TimeSlotDisplayString} class="wide" />
        <Field {...shared} label="Notes" at="/Notes" value={draft.Notes} kind="long" class="full" />
      </div>
      <Check label="Delivery order" at="/IsDelivery" checked={draft.IsDelivery} set={(to) => edit({ kind: 'set', at: '/IsDelivery', to })} />
      <p class="aside">
        The draft is kept in this browser for the next visit, without names, CustomerId, Notes and the token: those are gone after a reload.
      </p>
    </>
  );
}

const VALUE_TYPES = [['1', '1: amount'], ['2', '2: percent'], ['3', '3: not known here']] as const;

export function Discounts({ draft, edit, issues, amounts }: SectionProps & { amounts: (string | null)[] }) {
  const list = '/Discount/InvoiceLevel';
  return (
    <>
      <ol class="rows">
        {draft.Discount.InvoiceLevel.map((row, index) => {
          const at = `${list}/${index}`;
          const shared = { edit, issues, inRow: true };
          return (
            <li class="row" key={row.key} aria-label={`discount ${index + 1}`} id={at} tabIndex={-1}>
              <Field {...shared} label="Name" at={`${at}/Name`} value={row.Name} class="wide" />
              <Field {...shared} label="Value" at={`${at}/Value`} value={row.Value} kind="decimal" />
              <Select {...shared} label="ValueType" at={`${at}/ValueType`} value={row.ValueType} options={VALUE_TYPES} />
              <p class="amount">
                <span class="label">Amount</span>
                <output>{amounts[index] ?? '–'}</output>
              </p>
              <Remove at={at} what={`discount ${index + 1}`} edit={edit} />
              <RowMessages issues={within(issues, at)} at={at} />
            </li>
          );
        })}
      </ol>
      <button type="button" onClick={() => edit({ kind: 'add', at: list, row: newDiscount() })}>Add a discount</button>
      <p class="aside">
        <b class="assumed">Assumed</b> The record has no published form: its members are those of sibling operations (D13), and what a
        ValueType means is published nowhere. Here 1 is an amount and 2 a percentage (D14); of any other the amount is unknown.
      </p>
    </>
  );
}

const TAXES = [['point-of-sale', 'The point of sale calculates taxes'], ['order', 'I supply the taxes']] as const;

export function Taxes({ draft, edit, issues, directory }: SectionProps & { directory: Directory | null }) {
  const rates = locationOf(directory, draft)?.taxRates ?? [];
  const shared = { edit, issues, inRow: true };
  return (
    <>
      <Choice legend="Who decides" name="taxes" value={draft.taxesFrom} options={TAXES} choose={(to) => edit({ kind: 'set', at: '/taxesFrom', to })} />
      {draft.taxesFrom === 'order' ? (
        <>
          <p class="aside">They replace all that the point of sale would calculate, and are shown on the first line only (§2.1).</p>
          <ol class="rows">
            {draft.Taxes.map((row, index) => {
              const at = `/Taxes/${index}`;
              return (
                <li class="row" key={row.key} aria-label={`tax ${index + 1}`} id={at} tabIndex={-1}>
                  <Field {...shared} label="TaxId" at={`${at}/TaxId`} value={row.TaxId} kind="code" class="wide" />
                  <Field {...shared} label="TaxAmount" at={`${at}/TaxAmount`} value={row.TaxAmount} kind="decimal" />
                  <Remove at={at} what={`tax ${index + 1}`} edit={edit} />
                  <RowMessages issues={within(issues, at)} at={at} />
                </li>
              );
            })}
          </ol>
          <button type="button" onClick={() => edit({ kind: 'add', at: '/Taxes', row: newTax() })}>Add a tax</button>
          {draft.Taxes.length === 0 && (
            <>
              <Check label="No tax at all is meant (allowEmptyTaxes)" checked={draft.allowEmptyTaxes} set={(to) => edit({ kind: 'set', at: '/allowEmptyTaxes', to })} />
              <RowMessages issues={issues.filter(({ pointer }) => pointer === '/Taxes')} at="/Taxes" />
            </>
          )}
          <p class="aside"><b class="assumed">Assumed</b> The record has no published form: TaxId and TaxAmount are those of sibling operations (D10).</p>
        </>
      ) : (
        <>
          <Check label="Estimate the taxes with these rates; they are not sent" checked={draft.estimate} set={(to) => edit({ kind: 'set', at: '/estimate', to })} />
          {draft.estimate && (
            <>
              <ol class="rows">
                {draft.rates.map((row, index) => {
                  const at = `/rates/${index}`;
                  return (
                    <li class="row" key={row.key} aria-label={`rate ${index + 1}`} id={at} tabIndex={-1}>
                      <Field {...shared} label="Name" at={`${at}/name`} value={row.name} class="wide" />
                      <Field {...shared} label="Rate" at={`${at}/rate`} value={row.rate} kind="decimal" />
                      <Select {...shared} label="Type" at={`${at}/type`} value={row.type} options={[['Percentage', 'Fraction'], ['FlatRate', 'A piece']]} />
                      <Select {...shared} label="On" at={`${at}/layer`} value={row.layer} options={[['0', 'Price'], ['1', 'Price+tax']]} />
                      <Remove at={at} what={`rate ${index + 1}`} edit={edit} />
                      <div class="more">
                        <Field {...shared} label="Only for" at={`${at}/catalogItemIds`} value={row.catalogItemIds} kind="code" class="wide" />
                      </div>
                      <RowMessages issues={within(issues, at)} at={at} />
                    </li>
                  );
                })}
              </ol>
              <button type="button" onClick={() => edit({ kind: 'add', at: '/rates', row: newRate() })}>Add a rate</button>{' '}
              {rates.length > 0 && (
                <button type="button" onClick={() => edit({ kind: 'set', at: '/rates', to: ratesOf(rates) })}>Take the location's rates</button>
              )}
              <p class="aside">A rate is a fraction: 0.05 is five percent. <b>Only for</b>: catalog item ids, separated by blanks; all where empty.</p>
            </>
          )}
        </>
      )}
      <details>
        <summary>How the figures are rounded</summary>
        <div class="fields">
          <Select edit={edit} issues={issues} label="A half goes" at="/rounding" value={draft.rounding}
            options={[['half-up', 'up, away from zero'], ['half-even', 'to the even digit'], ['half-down', 'down, towards zero']]} />
          <Select edit={edit} issues={issues} label="Tax is rounded" at="/roundTaxPer" value={draft.roundTaxPer} options={[['line', 'on each line'], ['tax', 'once per tax']]} />
          <Select edit={edit} issues={issues} label="Fraction digits" at="/scale" value={draft.scale} options={['0', '1', '2', '3', '4'].map((n) => [n, n] as const)} />
        </div>
      </details>
    </>
  );
}

function Remove({ at, what, edit }: { at: string; what: string; edit: Dispatch }) {
  return (
    <div class="moves">
      <button
        type="button"
        class="small"
        aria-label={`Remove ${what}`}
        onClick={(event) => {
          // The row is gone after this, and with it the focus.
          event.currentTarget.closest('section')?.focus();
          edit({ kind: 'remove', at });
        }}
      >
        <Icon name="remove" />
      </button>
    </div>
  );
}
