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

/** Reads the parameters of the OpenAPI document by their schemas; the outbox checks the values. */
export function pageOf(query: URLSearchParams): PageOptions {
  const { parameters } = openapi.paths['/orders'].get;
  const options: Record<string, unknown> = {};
  for (const name of query.keys()) {
    const schema: { type: string; format?: string } | undefined = parameters.find((each) => each.name === name)?.schema;
    const [text = '', ...more] = query.getAll(name);
    const assert = (isRight: boolean, problem: string) => {
      if (!isRight) throw new OptionError(problem, `/${name}`);
    };
    assert(!!schema, `The parameters are ${parameters.map((each) => each.name).join(', ')}`);
    assert(name === 'state' || more.length === 0, `${name} can be given once`);
    if (name === 'state') options.states = [text, ...more].flatMap((list) => list.split(','));
    else if (schema?.type === 'integer') {
      assert(/^\d{1,15}$/.test(text), `${name} must be a whole number`);
      options[name] = Number(text);
    } else if (schema?.format === 'date-time') {
      assert(!Number.isNaN(Date.parse(text)), `${name} must be a time such as 2026-11-25T08:00:00Z`);
      options[name] = new Date(text);
    } else options[name] = text;
  }
  return options;
}
