// A user's program with the Standard Schema of orders (tests/types/compile.test.mjs). It is never run.
import {
  salesOrderSchema,
  type Issue,
  type SalesOrder,
  type SalesOrderInput,
  type SalesOrderSchema,
} from 'sales-order-intake';

const schema: SalesOrderSchema = salesOrderSchema('v2', {
  allowEmptyTaxes: true,
  records: 'passthrough',
  orderId: 'x',
});
salesOrderSchema();

// @ts-expect-error there is no v1
salesOrderSchema('v1');
// @ts-expect-error the version is not an option here
salesOrderSchema('v3', { version: 'v2' });
// @ts-expect-error there is no such rule
salesOrderSchema('v3', { lenient: true });

const { version, vendor, validate, jsonSchema } = schema['~standard'];
const result = validate({});
if (result.issues) {
  const first: Issue | undefined = result.issues[0];
  // @ts-expect-error a result with issues has no order
  void [first, result.value];
} else {
  const order: SalesOrder = result.value;
  void order;
}
// @ts-expect-error the validation may have failed
validate({}).value.Id;

type Types = NonNullable<SalesOrderSchema['~standard']['types']>;
declare const types: Types;
const input: SalesOrderInput = types.input;
const output: SalesOrder = types.output;
// @ts-expect-error decimals of the output are strings
const quantity: number = types.output.Items[0].Quantity;

const described: Record<string, unknown> = jsonSchema.input({ target: 'draft-07' });
// @ts-expect-error a target is required
jsonSchema.output({});
// @ts-expect-error a schema is readonly
schema['~standard'].vendor = 'x';
void [version === 1, vendor, input, output, quantity, described];
