import type { OrderValidationError } from 'sales-order-intake';
import type { ConnectionError, OrderIntakeError, SendError } from './errors.js';

/** The errors after which an order was not created, or its fate is unknown: those with an `outcome`. */
export type OutcomeError = Exclude<SendError, OrderValidationError>;

type Always = 'orderId' | 'version' | 'attempts' | 'retryable' | 'outcome';
/** The other members, of which only a {@link ConnectionError} has all. */
type Others = Omit<ConnectionError, Always | keyof Error | 'docUrl'>;

/** The members of an error, and its cause. */
export type ErrorDetails = Pick<OrderIntakeError, Always> & { [Name in keyof Others]?: Others[Name] | undefined } & {
  cause?: unknown;
};
