export {
  buildOrder,
  deriveOrderId,
  init,
  parseGuid,
  prepareOrder,
  prepareRequest,
  previewOrder,
  readError,
  readOrder,
  ready,
  requestPath,
  validateOrder,
} from './api.js';
export { createDraft } from './draft.js';
export { newOrderId } from './new-order-id.js';
export {
  CoreInitError,
  InternalError,
  OrderValidationError,
  isCoreInitError,
  isInternalError,
  isOrderValidationError,
} from './errors.js';
export type { CoreInitReason } from './errors.js';
export { salesOrderSchema } from './schema.js';
export type { SalesOrderSchema } from './schema.js';
export type * from './types.js';
