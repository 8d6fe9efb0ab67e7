import {
  OrderValidationError,
  prepareRequest,
  type Guid,
  type Issue,
  type PreparedRequest,
  type PreviewOptions,
} from 'sales-order-intake';
import type { SourceOrder } from '../files/source-order.js';

/** An order of a file. */
export interface PreparedOrder {
  /** Null if it has no valid one. */
  orderId: Guid | null;
  /** Null if the order is invalid, or its part of the file is. */
  request: PreparedRequest | null;
  /** Those of the order, without those of the file. */
  issues: readonly Issue[];
}

/** Prepares the request of an order. */
export function preparedOrder(order: SourceOrder, options: PreviewOptions): PreparedOrder {
  try {
    const request = prepareRequest(order.json, options);
    const { orderId, issues } = request;
    return { orderId, request: order.fileIssues.length > 0 ? null : request, issues };
  } catch (error) {
    if (!(error instanceof OrderValidationError)) throw error;
    const { orderId, issues } = error;
    return { orderId, request: null, issues };
  }
}
