// A JSON Schema imported as a module, as with a bundler (tests/types/compile.test.mjs). It is never run.
import order from 'sales-order-intake/schema/order-v3.json';

const required: string[] = order.required;
// @ts-expect-error Id, CompanyId and so on are members of orders, not of the schema
void [required, order.CompanyId];
