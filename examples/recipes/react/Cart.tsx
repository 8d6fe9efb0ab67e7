// #region cart
import { createEvaluator, type Issue, type SalesOrderInput, type SalesOrderItemInput } from 'sales-order-intake';
import { useMemo, useState } from 'react';
import { amountsOf } from '../amounts.js';

export function Cart({ initial }: { initial: SalesOrderInput }) {
  const [order, setOrder] = useState(initial);
  const evaluate = useMemo(() => createEvaluator({ version: 'v3' }), []);
  const { ok, issues, totals, preview } = useMemo(() => evaluate(order), [evaluate, order]);

  function change(index: number, changes: Partial<SalesOrderItemInput>) {
    setOrder(({ Items, ...rest }) => ({
      ...rest,
      Items: Items.map((item, i) => (i === index ? { ...item, ...changes } : item)),
    }));
  }

  // #endregion cart
  return (
    <form>
      {order.Items.map((item, index) => (
        <fieldset key={index}>
          <legend>{item.Name}</legend>
          <Field
            label="Quantity"
            value={String(item.Quantity)}
            issues={issuesAt(issues, `/Items/${index}/Quantity`)}
            onChange={(Quantity) => change(index, { Quantity })}
          />
          <Field
            label="Price"
            value={String(item.SellAtPricePerUnit)}
            issues={issuesAt(issues, `/Items/${index}/SellAtPricePerUnit`)}
            onChange={(SellAtPricePerUnit) => change(index, { SellAtPricePerUnit })}
          />
          {/* #region amounts */}
          <dl>
            {amountsOf(preview(), index).map(({ label, text }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
          {/* #endregion amounts */}
        </fieldset>
      ))}
      <output>{totals.subtotal ?? 'unknown'}</output>
      <button type="submit" disabled={!ok}>
        Send
      </button>
    </form>
  );
}

// #region field
function issuesAt(issues: readonly Issue[], pointer: string) {
  return issues.filter((issue) => issue.pointer === pointer);
}

interface FieldProps {
  label: string;
  value: string;
  issues: readonly Issue[];
  onChange(value: string): void;
}

function Field({ label, value, issues, onChange }: FieldProps) {
  const isWrong = issues.some(({ severity }) => severity === 'error');
  return (
    <label>
      {label}
      <input value={value} aria-invalid={isWrong} onChange={(event) => onChange(event.target.value)} />
      {issues.map(({ code, message }) => (
        <small key={code}>{message}</small>
      ))}
    </label>
  );
}
// #endregion field
