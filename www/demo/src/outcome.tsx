import { OrderValidationError } from 'sales-order-intake/slim';
import { OrderIntakeError, type CreatedOrder } from 'sales-order-intake/slim/client';
import { Icon } from './field';
import { IssueList } from './issue-list';

/** Filled by the service (§2.1). */
const READ_ONLY = ['ReceiptNumber', 'DateCreatedUtc', 'OrderSource', 'WasCreatedWithInventoryHold'];

const attemptsOf = (count: number) => `${count} ${count === 1 ? 'attempt' : 'attempts'}`;

export function Created({ created, posView }: { created: CreatedOrder; posView: string | null }) {
  const { order, status, attempts, orderId, delivery } = created;
  return (
    <section class="result good" aria-label={delivery ? 'Accepted order' : 'Created order'}>
      <h3>
        <Icon name="done" /> {headingOf(created)}
      </h3>
      <p>
        {status} after {attemptsOf(attempts)}, order <code>{orderId}</code>.{' '}
        {delivery
          ? 'A relay delivers it later; the service may still refuse it.'
          : posView && (
              <a href={posView} target="_blank" rel="noopener">
                See it at the point of sale
              </a>
            )}
      </p>
      {order && (
        <>
          <p class="aside">
            <mark>Marked</mark>: read-only members, filled by the service.
          </p>
          <pre tabIndex={0} aria-label="Order in the response">
            {'{\n'}
            {Object.entries(order).map(([name, value], index, all) => {
              const json = JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
              const member = `  "${name}": ${json}${index < all.length - 1 ? ',' : ''}`;
              return [READ_ONLY.includes(name) ? <mark>{member}</mark> : member, '\n'];
            })}
            {'}'}
          </pre>
        </>
      )}
      {!order && !delivery && <p>The response has no order that can be read.</p>}
    </section>
  );
}

function headingOf({ delivery, alreadyThere }: CreatedOrder): string {
  if (delivery) return 'Accepted, not created yet';
  return alreadyThere ? 'Already stored: the service returned the same order' : 'Created';
}

const OUTCOMES = {
  'not-created': 'The order was not created.',
  unknown:
    'It is unknown whether the order was created. Send the same request again: it has the same Id, so the service can recognise the order.',
};

export function Failure({ error }: { error: Error }) {
  if (!(error instanceof OrderIntakeError))
    return (
      <section class="result bad" aria-label="Failure">
        <h3>
          <Icon name="error" /> {error.name}
        </h3>
        <p>{error.message}</p>
        {error instanceof OrderValidationError && <IssueList issues={error.issues} />}
      </section>
    );
  const { name, status, outcome, detail, issues = [], attempts, retryable, mediaType, url } = error;
  return (
    <section class="result bad" aria-label="Failure">
      <h3>
        <Icon name="error" /> {name}
        {status !== undefined && ` ${status}`}
      </h3>
      <p>
        <b>{outcome}</b>: {OUTCOMES[outcome]}
      </p>
      {name === 'UnexpectedResponseError' && (
        <p>
          This is not the service's order: {mediaType ?? 'no content'} from <code>{url}</code>. Check the base URL.
        </p>
      )}
      {detail && <p>Reason given by the service: {detail}</p>}
      <p class="aside">
        {attemptsOf(attempts)}; {retryable ? 'a later retry may succeed' : 'a retry will not help'}.
        {name === 'ConnectionError' && ' A service on another origin must allow requests from this one (CORS).'}
      </p>
      {issues.length > 0 && <IssueList issues={issues} />}
    </section>
  );
}
