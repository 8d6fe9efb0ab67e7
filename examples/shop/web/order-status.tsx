import { useEffect, useRef } from 'react';
import type { Sale, Shop } from '../shared/shop.ts';
import { useWords } from './words.ts';

/** Where the order is, and what was bought. */
export function OrderStatus({ shop, sale, onAgain }: { shop: Shop; sale: Sale; onAgain(): void }) {
  const { words, money, messageOf } = useWords();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const { orderId, state, isDelayed, lines, subtotal, receipt, issues } = sale;
  return (
    <section className="slip" data-state={state}>
      <div role="status">
        <h1 ref={title} tabIndex={-1}>
          {words.status[state]}
        </h1>
        <p>{words.more[isDelayed ? 'delayed' : state]}</p>
        {issues.map((issue) => (
          <p key={issue.code}>{messageOf(issue)}</p>
        ))}
      </div>
      <ul>
        {lines.map(({ articleId, quantity }) => {
          const { name, unit } = shop.articles.find(({ id }) => id === articleId) ?? { name: articleId, unit: 'piece' };
          return <li key={articleId}>{`${quantity} ${words.units[unit]} ${name}`}</li>;
        })}
      </ul>
      <dl>
        <dt>{words.subtotal}</dt>
        <dd>{money(subtotal)}</dd>
        <dt>{words.receipt}</dt>
        <dd>{receipt ?? '–'}</dd>
        <dt>{words.orderNumber}</dt>
        <dd>{orderId}</dd>
      </dl>
      <button type="button" onClick={onAgain} hidden={state === 'accepted'}>
        {words.again}
      </button>
    </section>
  );
}
