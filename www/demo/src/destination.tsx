import { ratesOf } from './draft';
import { type Directory, locationOf } from './directory';
import { Check, Choice, Field, Select } from './field';
import type { SectionProps } from './section';

const PRICING = [
  ['', 'Unknown'],
  ['Exclusive', 'Exclusive'],
  ['Inclusive', 'Inclusive'],
] as const;

/** The company and location that get the order, the integrator that sends it, and the version of the operation. */
export function Destination({ draft, edit, issues, directory }: SectionProps & { directory: Directory | null }) {
  const shared = { edit, issues };
  const known = locationOf(directory, draft);
  return (
    <div class="fields">
      {directory && (
        <div class="field wide">
          <label for="location">Location</label>
          <select
            id="location"
            aria-describedby="location-note"
            value={known ? `${known.companyId}/${known.entityId}` : ''}
            onChange={(event) => {
              const [CompanyId = '', EntityId = ''] = event.currentTarget.value.split('/');
              const chosen = locationOf(directory, { CompanyId, EntityId });
              if (!chosen) return;
              const rates = ratesOf(chosen.taxRates);
              const locationTaxPricing = chosen.taxPricing ?? '';
              edit({
                kind: 'merge',
                members: { CompanyId, EntityId, locationTaxPricing, rates, estimate: rates.length > 0 },
              });
            }}
          >
            <option value="">Another location: type its ids</option>
            {directory.companies.map(({ companyId, name, locations }) =>
              locations.map((location) => (
                <option value={`${companyId}/${location.entityId}`}>
                  {name}, {location.name}
                  {location.taxPricing === 'Inclusive' && ' (prices include tax)'}
                </option>
              )),
            )}
          </select>
          <p class="messages" id="location-note">
            <span>Sets the ids, the tax pricing and the rates below.</span>
          </p>
        </div>
      )}
      <Field
        {...shared}
        label="CompanyId"
        at="/CompanyId"
        value={draft.CompanyId}
        kind="digits"
        note={known?.company}
      />
      <Field
        {...shared}
        label="EntityId"
        at="/EntityId"
        value={draft.EntityId}
        kind="digits"
        note={known?.name ?? 'The location'}
      />
      <Field
        {...shared}
        label="IntegratorId"
        at="/IntegratorId"
        value={draft.IntegratorId}
        kind="code"
        class="wide"
        list="integrators"
        note={directory?.integrators.find(({ integratorId }) => integratorId === draft.IntegratorId)?.name}
      />
      <datalist id="integrators">
        {directory?.integrators.map(({ integratorId, name }) => (
          <option value={integratorId}>{name}</option>
        ))}
      </datalist>
      <Select
        {...shared}
        label="Location's tax pricing"
        at="/locationTaxPricing"
        value={draft.locationTaxPricing}
        options={PRICING}
      />
      <Choice
        legend="Version"
        name="version"
        value={draft.version}
        options={[
          ['v2', 'v2'],
          ['v3', 'v3'],
        ]}
        choose={(version) => edit({ kind: 'set', at: '/version', to: version })}
      />
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
        <Field
          {...shared}
          label="TimeSlotDisplayString"
          at="/TimeSlotDisplayString"
          value={draft.TimeSlotDisplayString}
          class="wide"
        />
        <Field {...shared} label="CustomerId" at="/CustomerId" value={draft.CustomerId} kind="code" class="full" />
        <Field {...shared} label="Notes" at="/Notes" value={draft.Notes} kind="long" class="full" />
      </div>
      <Check
        label="Delivery order"
        at="/IsDelivery"
        checked={draft.IsDelivery}
        set={(to) => edit({ kind: 'set', at: '/IsDelivery', to })}
      />
      <p class="aside">
        This browser stores the draft for your next visit, but not names, CustomerId, Notes and the token: they are lost
        when you reload the page.
      </p>
    </>
  );
}
