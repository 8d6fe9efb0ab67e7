/** The entry `sales-order-intake`: the functions that call the core, with the core as a part of the program. */
import * as slim from './index.js';
import { withCore } from './loader.js';
import { coreSource, fatesSource } from './core-source.js';

export * from './index.js';
export const buildOrder = /* @__PURE__ */ withCore(coreSource, slim.buildOrder);
export const compareAmounts = /* @__PURE__ */ withCore(coreSource, slim.compareAmounts);
export const createEvaluator = /* @__PURE__ */ withCore(coreSource, slim.createEvaluator);
export const deriveOrderId = /* @__PURE__ */ withCore(coreSource, slim.deriveOrderId);
export const evaluateOrder = /* @__PURE__ */ withCore(coreSource, slim.evaluateOrder);
export const init = /* @__PURE__ */ withCore(coreSource, slim.init);
export const parseGuid = /* @__PURE__ */ withCore(coreSource, slim.parseGuid);
export const prepareRequest = /* @__PURE__ */ withCore(coreSource, slim.prepareRequest);
export const previewOrder = /* @__PURE__ */ withCore(coreSource, slim.previewOrder);
export const readDecimal = /* @__PURE__ */ withCore(coreSource, slim.readDecimal);
export const readError = /* @__PURE__ */ withCore(coreSource, slim.readError, fatesSource);
export const readOrder = /* @__PURE__ */ withCore(coreSource, slim.readOrder, fatesSource);
export const requestPath = /* @__PURE__ */ withCore(coreSource, slim.requestPath);
export const salesOrderSchema = /* @__PURE__ */ withCore(coreSource, slim.salesOrderSchema);
export const sumAmounts = /* @__PURE__ */ withCore(coreSource, slim.sumAmounts);
export const validateOrder = /* @__PURE__ */ withCore(coreSource, slim.validateOrder);
