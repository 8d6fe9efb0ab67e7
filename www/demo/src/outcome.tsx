import { isOrderValidationError } from 'sales-order-intake/slim';
import { isOrderIntakeError, type CreatedOrder } from 'sales-order-intake/slim/client';
import { reasonIn } from './core';
import { Icon } from './field';
import { IssueList } from './issue-list';

/** Filled by the service (§2.1 rule 4). */
const READ_ONLY = ['ReceiptNumber', 'DateCreatedUtc', 'OrderSource', 'WasCreatedWithInventoryHold'];

export function Created({ created, till }: { created: CreatedOrder; till: string | null }) {
  const { order, status, attempts, orderId } = created;
  return (
    <section class="result good" aria-label="Created order">
      <h3>
        <Icon name="done" /> {status === 201 ? 'Created' : 'There already: the same order, answered as it was'}
      </h3>
      <p>
        {status} after {attempts} {attempts === 1 ? 'attempt' : 'attempts'}, order <code>{orderId}</code>.{' '}
        {till && (
          <a href={till} target="_blank" rel="noopener">
            See it at the till
          </a>
        )}
      </p>
      {order ? (
        <>
          <p class="aside">
            <mark>Marked</mark>: read-only members, filled by the service.
          </p>
          <pre tabIndex={0} aria-label="Order as the service has it">
            {'{\n'}
            {Object.entries(order).map(([name, value], index, all) => {
              const text = `  "${name}": ${JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')}${index < all.length - 1 ? ',' : ''}`;
              return [READ_ONLY.includes(name) ? <mark title="read-only">{text}</mark> : text, '\n'];
            })}
            {'}'}
          </pre>
        </>
      ) : (
        <p>The answer holds no order that can be read.</p>
      )}
    </section>
  );
}

const FATES = {
  'not-created': 'The order was not created.',
  unknown: 'It is not known whether the order was created. Send the same again: with the same id it is never doubled.',
};

export function Failure({ error }: { error: Error }) {
  if (!isOrderIntakeError(error))
    return (
      <section class="result bad" aria-label="Failure">
        <h3>
          <Icon name="error" /> {error.name}
        </h3>
        <p>{error.message}</p>
        {isOrderValidationError(error) && <IssueList issues={error.issues} />}
      </section>
    );
  const { name, status, outcome, body, issues = [], attempts, retryable } = error;
  const reason = body && reasonIn(body);
  return (
    <section class="result bad" aria-label="Failure">
      <h3>
        <Icon name="error" /> {name}
        {status !== undefined && ` ${status}`}
      </h3>
      <p>
        <b>{outcome}</b>: {FATES[outcome]}
      </p>
      {reason && <p>The service says: {reason}</p>}
      <p class="aside">
        {attempts} {attempts === 1 ? 'attempt' : 'attempts'};{' '}
        {retryable ? 'trying again later can help' : 'trying the same again does not help'}.
        {name === 'ConnectionError' &&
          ' If the service is not the one that served this page, it must allow pages from here (CORS).'}
      </p>
      {issues.length > 0 && <IssueList issues={issues} />}
    </section>
  );
}
