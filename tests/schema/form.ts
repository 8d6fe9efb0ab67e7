// A program of a user of the libraries, compiled against the installed package (tests/schema/types.test.mjs). It is
// never run.
import { sValidator } from '@hono/standard-validator';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { FormApi } from '@tanstack/react-form';
import { initTRPC } from '@trpc/server';
import { Hono } from 'hono';
import { createFormControl } from 'react-hook-form';
import { salesOrderSchema, type SalesOrder, type SalesOrderInput } from 'sales-order-intake';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

const schema = salesOrderSchema('v3');
const standard: StandardSchemaV1<SalesOrderInput, SalesOrder> = schema;
const described: StandardJSONSchemaV1<SalesOrderInput, SalesOrder> = schema;
const input: Same<StandardSchemaV1.InferInput<typeof schema>, SalesOrderInput> = true;
const output: Same<StandardSchemaV1.InferOutput<typeof schema>, SalesOrder> = true;
// @ts-expect-error a schema of orders is not a schema of strings
const texts: StandardSchemaV1<string> = schema;

declare const order: SalesOrderInput;
const form = new FormApi({ defaultValues: order, validators: { onChange: schema, onSubmit: schema } });
// @ts-expect-error the values of this form are not an order
const otherForm = new FormApi({ defaultValues: { CompanyId: 'x' }, validators: { onChange: schema } });

const control = createFormControl({ resolver: standardSchemaResolver(schema), defaultValues: order });
control.handleSubmit((created) => void (created satisfies SalesOrder));

const { procedure, router, createCallerFactory } = initTRPC.create();
const orders = router({ submit: procedure.input(schema).mutation(({ input: { Items } }) => Items?.[0]?.Quantity) });
const caller = createCallerFactory(orders)({});
export const submitted: Promise<string | null | undefined> = caller.submit(order);
// @ts-expect-error an order has a company
export const refused = caller.submit({ EntityId: 1, IntegratorId: 'x', Items: [] });

const app = new Hono().put('/orders', sValidator('json', schema), (context) => {
  const { Id } = context.req.valid('json');
  const id: string = Id;
  return context.json({ id });
});

void [standard, described, input, output, texts, form, otherForm, control, app];
