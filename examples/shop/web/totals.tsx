import { Fragment } from 'react';
import type { Checkout } from './checkout.ts';
import { useWords } from './words.ts';

// #region totals
/** The totals. An amount that is not known is shown as unknown, with the reason; an estimate is marked. */
export function Totals({ checkout: { evaluation, hasFailed } }: { checkout: Checkout }) {
  const { words, money, messageOf } = useWords();
  if (!evaluation) return <p role="status">{hasFailed ? words.coreFailed : words.calculating}</p>;
  const { subtotal, tax, total } = evaluation.totals;
  const error = evaluation.issues.find(({ severity }) => severity === 'error');
  const reason = subtotal === null && error ? messageOf(error) : tax.source === 'point-of-sale' ? words.taxAtTill : '';
  const estimate = tax.source === 'estimated' && tax.total !== null && <em>{words.estimate}</em>;
  const taxes = tax.total === null ? [{ taxId: 'tax', name: words.tax, amount: null }] : tax.entries;
  return (
    <div className="totals">
      <dl>
        {[{ taxId: '', name: words.subtotal, amount: subtotal }, ...taxes].map(({ taxId, name, amount }) => (
          <Fragment key={taxId}>
            <dt>
              {name} {taxId && estimate}
            </dt>
            <dd>{money(amount)}</dd>
          </Fragment>
        ))}
      </dl>
      <p className="total" role="status">
        {words.total} {estimate} <b>{money(total)}</b>
      </p>
      {reason && <p className="aside">{reason}</p>}
    </div>
  );
}
// #endregion totals
