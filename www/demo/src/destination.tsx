import { ratesOf } from './draft';
import { type Directory, locationOf } from './directory';
import { Check, Choice, Field, Select } from './field';
import type { SectionProps } from './section';

interface Props extends SectionProps {
  directory: Directory | null;
}

/** The company and location that get the order, the integrator that sends it, and the version of the operation. */
export function Destination({ directory, ...order }: Props) {
  const { values } = order;
  const known = locationOf(directory, values);
  return (
    <div class="fields">
      {directory && <Location {...order} directory={directory} />}
      <Field {...order} name="CompanyId" kind="digits" note={known?.company} />
      <Field {...order} name="EntityId" kind="digits" note={known?.name ?? 'The location'} />
      <Field
        {...order}
        name="IntegratorId"
        kind="code"
        class="wide"
        list="integrators"
        note={directory?.integrators.find(({ integratorId }) => integratorId === values.IntegratorId)?.name}
      />
      <datalist id="integrators">
        {directory?.integrators.map(({ integratorId, name }) => (
          <option value={integratorId}>{name}</option>
        ))}
      </datalist>
      <Select {...order} name="locationTaxPricing" label="Location's tax pricing" />
      <Choice {...order} name="version" label="Version" />
    </div>
  );
}

/** A location of a demo service, with its ids, tax pricing and rates. */
function Location({ values, edit, directory }: SectionProps & { directory: Directory }) {
  const known = locationOf(directory, values);
  const choose = (location: string) => {
    const [CompanyId = '', EntityId = ''] = location.split('/');
    const chosen = locationOf(directory, { CompanyId, EntityId });
    if (!chosen) return;
    const rates = ratesOf(chosen.taxRates);
    const locationTaxPricing = chosen.taxPricing ?? '';
    edit({ kind: 'merge', members: { CompanyId, EntityId, locationTaxPricing, rates, estimate: rates.length > 0 } });
  };
  const locations = directory.companies.flatMap((company) =>
    company.locations.map(({ entityId, name, taxPricing }) => {
      const pricing = taxPricing === 'Inclusive' ? ' (prices include tax)' : '';
      return [`${company.companyId}/${entityId}`, `${company.name}, ${name}${pricing}`] as const;
    }),
  );
  return (
    <Select
      values={{ location: known ? `${known.companyId}/${known.entityId}` : '' }}
      at=""
      edit={({ to }) => choose(String(to))}
      issues={[]}
      name="location"
      label="Location"
      class="wide"
      options={[['', 'Another location: type its ids'], ...locations]}
      note="Sets the ids, the tax pricing and the rates below."
    />
  );
}

export function Customer(order: SectionProps) {
  return (
    <>
      <div class="fields">
        <Field {...order} name="FirstName" />
        <Field {...order} name="LastName" />
        <Field {...order} name="TimeSlotDisplayString" class="wide" />
        <Field {...order} name="CustomerId" kind="code" class="full" />
        <Field {...order} name="Notes" kind="long" class="full" />
      </div>
      <Check {...order} name="IsDelivery" label="Delivery order" />
      <p class="aside">
        This browser stores the draft for your next visit, but not names, CustomerId, Notes and the token: they are lost
        when you reload the page.
      </p>
    </>
  );
}
