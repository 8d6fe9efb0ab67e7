/** The OpenAPI document of the relay, and the parameters that it names. */
import { OptionError, salesOrderSchema } from 'sales-order-intake';
import type { PageOptions } from 'sales-order-intake/outbox';
import openapi from './openapi.json';

/** Returns the OpenAPI document, with the package's own schema of an order. */
export function described(): object {
  const { jsonSchema } = salesOrderSchema()['~standard'];
  const { $schema: _1, $id: _2, ...schema } = jsonSchema.input({ target: 'draft-2020-12' });
  const SalesOrder = JSON.parse(
    JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/SalesOrder/$defs/'),
  );
  const { components } = openapi;
  return { ...openapi, components: { ...components, schemas: { ...components.schemas, SalesOrder } } };
}

/** Reads the parameters of the OpenAPI document; the outbox checks the values. */
export function pageOf(query: URLSearchParams): PageOptions {
  const known = openapi.paths['/orders'].get.parameters.map(({ name }) => name);
  const wrong = (name: string, problem: string) => new OptionError(problem, `/${name}`);
  for (const name of query.keys()) {
    if (!known.includes(name)) throw wrong(name, `The parameters are ${known.join(', ')}`);
    if (name !== 'state' && query.getAll(name).length > 1) throw wrong(name, `${name} can be given once`);
  }
  const value = (name: string) => query.get(name) ?? undefined;
  const number = (name: string) => {
    const digits = value(name);
    if (!/^\d{1,15}$/.test(digits ?? '0')) throw wrong(name, `${name} must be a whole number`);
    return digits === undefined ? undefined : Number(digits);
  };
  const time = (name: string) => {
    const text = value(name);
    const date = new Date(text ?? 0);
    if (Number.isNaN(date.getTime())) throw wrong(name, `${name} must be a time such as 2026-11-25T08:00:00Z`);
    return text === undefined ? undefined : date;
  };
  const states = query.getAll('state').flatMap((list) => list.split(','));
  return {
    states: states.length > 0 ? (states as PageOptions['states']) : undefined,
    reason: value('reason') as PageOptions['reason'],
    reference: value('reference'),
    receiptNumber: value('receiptNumber'),
    companyId: number('companyId'),
    entityId: number('entityId'),
    since: time('since'),
    before: time('before'),
    after: value('after'),
    limit: number('limit'),
  };
}
