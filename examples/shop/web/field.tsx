import { useId } from 'react';
import type { Issue } from 'sales-order-intake';
import type { Checkout } from './checkout.ts';
import { useWords } from './words.ts';

interface FieldProps {
  checkout: Checkout;
  name: 'FirstName' | 'LastName' | 'CustomerId' | 'TimeSlotDisplayString' | 'Notes' | `Items[${number}].Quantity`;
  label: string;
  isRequired?: boolean;
}

// #region field
const MISSING = { code: 'missing' };

/** A field of the order. Below it: errors of the form, once the shopper has left it, and warnings of the evaluation. */
export function Field({ checkout: { form, evaluation }, name, label, isRequired = false }: FieldProps) {
  const { messageOf } = useWords();
  const id = useId();
  const isQuantity = name.startsWith('Items');
  const pointer = `/${name.replace(/\[(\d+)\]\./, '/$1/')}`;
  const warnings = evaluation?.issues.filter((issue) => issue.pointer === pointer && issue.severity !== 'error') ?? [];
  // A rule of the shop's own, beside those of the order.
  const validators = { onChange: ({ value }: { value: unknown }) => (isRequired && !value ? MISSING : undefined) };
  return (
    <form.Field name={name} validators={validators}>
      {({ state: { value, meta }, handleChange, handleBlur }) => {
        const isShown = isQuantity || meta.isBlurred || form.state.submissionAttempts > 0;
        const errors = isShown ? (meta.errors as Pick<Issue, 'code' | 'params'>[]) : [];
        return (
          <div className={isQuantity ? 'quantity' : 'field'}>
            <label htmlFor={id}>{label}</label>
            <input
              id={id}
              value={String(value ?? '')}
              maxLength={300}
              inputMode={isQuantity ? 'decimal' : 'text'}
              autoComplete={{ FirstName: 'given-name', LastName: 'family-name' }[name as string] ?? 'off'}
              required={isRequired}
              aria-invalid={errors.length > 0}
              aria-describedby={`${id}-messages`}
              onChange={({ target }) => handleChange(target.value || (isQuantity ? '' : undefined))}
              onBlur={handleBlur}
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
// #endregion field
