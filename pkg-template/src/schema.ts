/** An order as a Standard Schema (standardschema.dev), for form libraries and validators. */
import { validateOrder } from './api.js';
import { OptionError } from './errors.js';
import { sentHeads, sentOrder, validOrder } from './order-schemas.js';
import type { Issue, RuleOptions, SalesOrder, SalesOrderInput, Version } from './types.js';

/** A Standard Schema, and a Standard JSON Schema, of orders. */
export interface SalesOrderSchema {
  /** The members of the Standard Schema. */
  readonly '~standard': {
    /** The version of the Standard Schema. */
    readonly version: 1;
    /** The package that the schema comes from. */
    readonly vendor: 'sales-order-intake';
    /** For types only: never present. */
    readonly types?: {
      /** The type of the values to validate. */
      readonly input: SalesOrderInput;
      /** The type of a valid order. */
      readonly output: SalesOrder;
    };
    /** Validates as {@link validateOrder} does. Only errors fail; warnings and notices are not returned. */
    readonly validate: (
      value: unknown,
    ) => { readonly value: SalesOrder; readonly issues?: undefined } | { readonly issues: readonly Issue[] };
    /** Returns the JSON Schemas of input and output. `validate` finds more than a schema can express. */
    readonly jsonSchema: {
      /** Returns the schema of an order that a caller writes. */
      readonly input: (options: JsonSchemaOptions) => Record<string, unknown>;
      /** Returns the schema of a valid order. */
      readonly output: (options: JsonSchemaOptions) => Record<string, unknown>;
    };
  };
}

interface JsonSchemaOptions {
  /** `draft-2020-12` or `draft-07`; any other throws. */
  readonly target: string;
}

/**
 * Returns a Standard Schema of orders, for TanStack Form, react-hook-form, tRPC, Hono and every other library that accepts
 * one. Its issues are the errors of {@link validateOrder}, with `code`, `pointer`, `severity` and `hint` besides `message`
 * and `path`.
 *
 * An order without an Id fails: make the Id once, before the first attempt to send ({@link newOrderId}). An Id made at each
 * validation would create a second order on a retry.
 *
 * @throws OptionError for another version, or if `options` is not an object. Validating throws what {@link validateOrder}
 * throws, also for a wrong option.
 *
 * @example
 * ```js
 * import { salesOrderSchema } from 'sales-order-intake';
 *
 * const { issues } = salesOrderSchema('v3')['~standard'].validate({ CompanyId: 1000, EntityId: 0 });
 * console.log(issues?.map(({ path, code }) => `${path.join('.')} ${code}`).join(', ')); // Id missing, EntityId integer_out_of_range, IntegratorId missing, Items missing
 * ```
 */
export function salesOrderSchema(
  version: Version = 'v3',
  options: Omit<RuleOptions, 'version'> = {},
): SalesOrderSchema {
  if (version !== 'v2' && version !== 'v3') throw new OptionError('option /version must be one of v2, v3', '/version');
  const copy: RuleOptions = copyOf(options);
  // The type of the options has no version, but an object that serves all functions may have one (D48).
  if ((copy.version ?? version) !== version)
    throw new OptionError('option /version differs from the version of the schema', '/version');
  const rules = { ...copy, version };
  const passthrough = rules.records === 'passthrough';
  return {
    '~standard': {
      version: 1,
      vendor: 'sales-order-intake',
      validate(value) {
        // validateOrder reads a string as JSON; here it is a value that is not an order.
        const input = typeof value === 'string' ? JSON.stringify(value) : (value as SalesOrderInput);
        const verdict = validateOrder(input, rules);
        if (!verdict.ok) return { issues: verdict.issues.filter(({ severity }) => severity === 'error') };
        return { value: verdict.order };
      },
      jsonSchema: {
        input: ({ target }) => ({ ...sentHeads[version], ...jsonSchema(sentOrder, target, passthrough) }),
        output: ({ target }) => jsonSchema(validOrder, target, passthrough),
      },
    },
  };
}

/** Copies the options; a getter may throw. */
function copyOf<Options extends object>(options: Options): Options {
  if (typeof options !== 'object' || options === null) throw new OptionError('the options must be an object', '');
  try {
    return { ...options };
  } catch (cause) {
    throw new OptionError('the options cannot be read', '', { cause });
  }
}

/** Returns a new schema at each call: the caller may change it. */
function jsonSchema(text: string, target: string, passthrough: boolean): Record<string, unknown> {
  if (target !== 'draft-2020-12' && target !== 'draft-07') {
    throw new TypeError("jsonSchema: the target must be 'draft-2020-12' or 'draft-07'");
  }
  const { $defs, ...schema } = JSON.parse(
    target === 'draft-07' ? text.replaceAll('#/$defs/', '#/definitions/') : text,
  ) as { $defs: object };
  // Records that are not read can hold anything (D10, D13).
  if (passthrough)
    Object.assign($defs, { SalesOrderV2V3PutOrderDiscount: { type: 'object' }, SalesOrderV2V3PutOrderTax: {} });
  if (target === 'draft-2020-12') return { ...schema, $defs };
  return { ...schema, $schema: 'http://json-schema.org/draft-07/schema#', definitions: $defs };
}
