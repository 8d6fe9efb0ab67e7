/** An order as a Standard Schema (standardschema.dev): for form libraries, validators of servers, and what else takes one. */
import { validateOrder } from './api.js';
import { sentHeads, sentOrder, validOrder } from './order-schemas.js';
import type { Issue, RuleOptions, SalesOrderInput, SalesOrderV2V3Put, Version } from './types.js';

/** A Standard Schema, and a Standard JSON Schema, of orders. */
export interface SalesOrderSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'sales-order-intake';
    /** Never there: types only. */
    readonly types?: { readonly input: SalesOrderInput; readonly output: SalesOrderV2V3Put };
    /** Judges as {@link validateOrder} does. Only errors fail; warnings and notices are not told. */
    readonly validate: (
      value: unknown,
    ) => { readonly value: SalesOrderV2V3Put; readonly issues?: undefined } | { readonly issues: readonly Issue[] };
    /** JSON Schema of what goes in and of what comes out; what a schema can't say, only `validate` tells. */
    readonly jsonSchema: {
      readonly input: (options: JsonSchemaOptions) => Record<string, unknown>;
      readonly output: (options: JsonSchemaOptions) => Record<string, unknown>;
    };
  };
}

interface JsonSchemaOptions {
  /** `draft-2020-12` or `draft-07`; any other throws. */
  readonly target: string;
}

/**
 * An order as a Standard Schema, for TanStack Form, react-hook-form, tRPC, Hono and whatever else takes one. Its issues are
 * the errors of {@link validateOrder}, whole: with `code`, `pointer`, `severity` and `hint` beside `message` and `path`.
 *
 * An order without an Id fails: an id is made before the first attempt to send and kept ({@link newOrderId}), and one made
 * at every validation would let a retry double the order.
 *
 * @throws TypeError for another version. Validating throws what {@link validateOrder} throws, also for a wrong option.
 *
 * @example
 * ```js
 * import { salesOrderSchema } from 'sales-order-intake';
 *
 * const { issues } = salesOrderSchema('v3')['~standard'].validate({ CompanyId: 1000, EntityId: 0 });
 * console.log(issues.map(({ path, code }) => `${path.join('.')} ${code}`).join(', ')); // EntityId integer_out_of_range, Id missing, IntegratorId missing, Items missing
 * ```
 */
export function salesOrderSchema(
  version: Version = 'v3',
  options: Omit<RuleOptions, 'version'> = {},
): SalesOrderSchema {
  if (version !== 'v2' && version !== 'v3') throw new TypeError("salesOrderSchema: the version is to be 'v2' or 'v3'");
  const passthrough = options.records === 'passthrough';
  return {
    '~standard': {
      version: 1,
      vendor: 'sales-order-intake',
      validate(value) {
        // Text is JSON to validateOrder; here it is a value, and no order.
        const verdict = validateOrder(typeof value === 'string' ? JSON.stringify(value) : value, {
          ...options,
          version,
        });
        if (!verdict.ok) return { issues: verdict.issues.filter(({ severity }) => severity === 'error') };
        // A form that validates at every keystroke never looks.
        return {
          get value() {
            return verdict.order;
          },
        };
      },
      jsonSchema: {
        input: ({ target }) => ({ ...sentHeads[version], ...jsonSchema(sentOrder, target, passthrough) }),
        output: ({ target }) => jsonSchema(validOrder, target, passthrough),
      },
    },
  };
}

interface JsonSchema extends Record<string, unknown> {
  $defs: Record<string, unknown>;
}

/** A new one at each call: it is the caller's to change. */
function jsonSchema(text: string, target: string, passthrough: boolean): Record<string, unknown> {
  if (target !== 'draft-2020-12' && target !== 'draft-07') {
    throw new TypeError("jsonSchema: the target is to be 'draft-2020-12' or 'draft-07'");
  }
  const { $defs, ...schema } = JSON.parse(
    target === 'draft-07' ? text.replaceAll('#/$defs/', '#/definitions/') : text,
  ) as JsonSchema;
  // Records that are not read can hold anything (D10, D13).
  if (passthrough)
    Object.assign($defs, { SalesOrderV2V3PutOrderDiscount: { type: 'object' }, SalesOrderV2V3PutOrderTax: {} });
  if (target === 'draft-2020-12') return { ...schema, $defs };
  return { ...schema, $schema: 'http://json-schema.org/draft-07/schema#', definitions: $defs };
}
