import type { Issue } from 'sales-order-intake';
import type { Checkout } from './checkout.ts';
import { useWords } from './words.ts';

/** The totals. An amount that is not known is shown as unknown, with the reason; an estimate is marked. */
export function Totals({ checkout: { evaluation, hasFailed } }: { checkout: Checkout }) {
  const { words, money, messageOf } = useWords();
  if (!evaluation) return <p role="status">{hasFailed ? words.coreFailed : words.calculating}</p>;
  const { subtotal, tax, total } = evaluation.totals;
  const isOfLine = ({ severity, pointer }: Issue) => severity === 'error' && pointer.startsWith('/Items');
  const error = evaluation.issues.find(isOfLine);
  const reason = subtotal === null && error ? messageOf(error) : tax.source === 'point-of-sale' ? words.taxAtTill : '';
  const estimate = tax.source === 'estimated' && tax.total !== null && <em>{words.estimate}</em>;
  return (
    <div className="totals">
      <dl>
        <dt>{words.subtotal}</dt>
        <dd>{money(subtotal)}</dd>
        <dt>
          {words.tax} {estimate}
        </dt>
        <dd>{money(tax.total)}</dd>
      </dl>
      <p className="total" role="status">
        {words.total} {estimate} <b>{money(total)}</b>
      </p>
      {reason && <p className="aside">{reason}</p>}
    </div>
  );
}
