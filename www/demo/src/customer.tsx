import { Check, Field } from './field';
import type { SectionProps } from './section';

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
