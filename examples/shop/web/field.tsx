import { useStore } from '@tanstack/react-form';
import { useId } from 'react';
import type { Issue } from 'sales-order-intake';
import type { Checkout } from './checkout.ts';
import { useWords } from './words.ts';

type Name = 'FirstName' | 'LastName' | 'CustomerId' | 'TimeSlotDisplayString' | 'Notes' | `Items[${number}].Quantity`;
type FieldProps = { checkout: Checkout; name: Name; label: string };

/**
 * A field of the order. Below it: errors of the form, after the first try to order, and warnings of the evaluation. An error
 * that appeared when the field is left would move the button away from under the click.
 */
export function Field({ checkout: { form, evaluation }, name, label }: FieldProps) {
  const { messageOf } = useWords();
  const hasTried = useStore(form.store, ({ submissionAttempts }) => submissionAttempts > 0);
  const id = useId();
  const isQuantity = name.startsWith('Items');
  const pointer = `/${name.replace(/\[(\d+)\]\./, '/$1/')}`;
  const warnings = evaluation?.issues.filter((issue) => issue.pointer === pointer && issue.severity !== 'error') ?? [];
  return (
    <form.Field name={name}>
      {({ state: { value, meta }, handleChange }) => {
        const errors = isQuantity || hasTried ? (meta.errors as Pick<Issue, 'code' | 'params'>[]) : [];
        return (
          <div className={isQuantity ? 'quantity' : 'field'}>
            <label htmlFor={id}>{label}</label>
            <input
              id={id}
              value={String(value ?? '')}
              maxLength={300}
              inputMode={isQuantity ? 'decimal' : 'text'}
              autoComplete={{ FirstName: 'given-name', LastName: 'family-name' }[name as string] ?? 'off'}
              required={name.endsWith('Name')}
              aria-invalid={errors.length > 0}
              aria-describedby={`${id}-messages`}
              onChange={({ target }) => handleChange(target.value || (isQuantity ? '' : undefined))}
            />
            <ul id={`${id}-messages`} className="messages">
              {[...errors, ...warnings].map((issue) => (
                <li key={issue.code}>{messageOf(issue)}</li>
              ))}
            </ul>
          </div>
        );
      }}
    </form.Field>
  );
}
