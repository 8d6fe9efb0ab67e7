/** What the page uses of the core, in a file of its own that is loaded when something is in the cart. */
export { createEvaluator, init, salesOrderSchema } from 'sales-order-intake';
