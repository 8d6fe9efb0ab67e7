import { parseGuid } from 'sales-order-intake';
import { parseBaseUrl } from '../pkg-template/src/options/base-url.js';
import {
  check,
  checkNames,
  checkObject,
  copyOptions,
  wrongOption,
  isToken,
  TOKEN_FORM,
} from '../pkg-template/src/options/check.js';
import type { IntakeSettings } from './intake.js';
import { checkRegistry } from './rules.js';
import type { PlatformType } from '../pkg-template/src/platform/platform.js';

/** Options of `createTestService`. */
export interface TestServiceOptions {
  /**
   * The address of the service: https, or http on a loopback address, as the client's.
   * @default 'https://intake.test'
   */
  baseUrl?: string | PlatformType<'URL'> | undefined;
  /**
   * Which token may send orders to which locations, for which integrators.
   * @default one token, `token`, for every company, location and integrator
   */
  registry?: TestRegistry | undefined;
  /**
   * The token that is accepted if there is no registry.
   * @default 'test-token'
   */
  token?: string | undefined;
  /**
   * The maximum size of a request body in bytes; a larger one gets 413.
   * @default 1_048_576
   */
  maxBodyBytes?: number | undefined;
}

/**
 * The companies, integrators and tokens of a service, like the registry file of the reference service. It is read at each
 * request, so that a test may change it. Nothing may be listed twice.
 */
export interface TestRegistry {
  /** The companies with their locations; at least one. Their ids are whole numbers from 1 to 2,147,483,647. */
  readonly companies: readonly {
    /** The CompanyId of its orders. */
    readonly id: number;
    /** Its locations. */
    readonly locations: readonly ({
      /** The EntityId of its orders. */
      readonly id: number;
    } & TestLocation)[];
  }[];
  /** The sources of orders; at least one. */
  readonly integrators: readonly ({
    /** The IntegratorId of its orders, a GUID. */
    readonly id: string;
  } & TestIntegrator)[];
  /** The tokens; at least one. */
  readonly tokens: readonly {
    /** The token, without `Bearer`. */
    readonly token: string;
    /** The CompanyIds of the orders that it may send. */
    readonly companies: readonly number[];
    /** The IntegratorIds of the orders that it may send. */
    readonly integrators: readonly string[];
  }[];
}

/** A location (entity) of a company. */
export interface TestLocation {
  /** Inclusive: every order is rejected (D21). If absent, the location has no configuration. */
  readonly taxPricing?: 'Exclusive' | 'Inclusive' | undefined;
  /**
   * The WasCreatedWithInventoryHold of its orders.
   * @default false
   */
  readonly inventoryHold?: boolean | undefined;
}

/** A source of orders. */
export interface TestIntegrator {
  /** The OrderSource.Name of its orders. */
  readonly name: string;
  /**
   * Whether `Taxes: []` is permitted and means "no taxes"; if not, it is an error (D9).
   * @default false
   */
  readonly allowEmptyTaxes?: boolean | undefined;
  /**
   * How Discount and Taxes records are read (D10, D13).
   * @default 'strict'
   */
  readonly records?: 'strict' | 'passthrough' | undefined;
}

/** The options of a reference service, checked and with their defaults. */
export interface TestServiceSettings extends Omit<IntakeSettings, 'faults'> {
  /** Without a slash at its end. */
  baseUrl: string;
  /** A token that is accepted. */
  token: string;
}

/** @throws OptionError if an option is wrong. */
export function testServiceSettings(options: TestServiceOptions): TestServiceSettings {
  const given = copyOptions(options);
  checkNames('', Object.keys(given), ['baseUrl', 'registry', 'token', 'maxBodyBytes']);
  const { baseUrl = 'https://intake.test', registry, token = 'test-token', maxBodyBytes = 1_048_576 } = given;
  const isUsed = registry === undefined || given.token === undefined;
  check('/token', isUsed, 'left out, because the registry lists the tokens');
  check('/token', isToken(token), TOKEN_FORM);
  check('/maxBodyBytes', Number.isSafeInteger(maxBodyBytes) && maxBodyBytes > 0, 'a whole number of bytes, 1 or more');
  const json = () => JSON.stringify(registry === undefined ? { everything: token } : { test: registry });
  if (registry !== undefined) {
    checkTypes(registry);
    checkValues(json());
  }
  return {
    baseUrl: parseBaseUrl(baseUrl).slice(0, -1),
    token: registry?.tokens[0]?.token ?? token,
    registry: json,
    maxBodyBytes,
  };
}

/** Lets the rules check the values. They report the path of a value as in the registry file of the reference service. */
function checkValues(registry: string): void {
  const errors = checkRegistry(registry);
  if (errors === null) return;
  const [, path = '', problem = ''] = /^(\w+\[\S+?):? (.*)/.exec(errors) ?? ['', '', `is not valid: ${errors}`];
  const pointer = path.replaceAll(/\[(\d+)\]/g, '/$1').replaceAll('.', '/');
  throw wrongOption(path === '' ? '/registry' : `/registry/${pointer}`, problem);
}

/** Checks the type of an option. */
type TypeCheck = (option: string, value: unknown) => void;

function checkTypes(registry: TestRegistry): void {
  const id: TypeCheck = (option, value) => check(option, Number.isSafeInteger(value), 'a whole number');
  const guid: TypeCheck = (option, value) => check(option, parseGuid(value as string) !== null, 'a GUID');
  const token: TypeCheck = (option, value) => check(option, isToken(value), TOKEN_FORM);
  const name: TypeCheck = (option, value) => check(option, typeof value === 'string', 'a string');
  const flag: TypeCheck = (option, value) =>
    check(option, ['undefined', 'boolean'].includes(typeof value), 'a boolean');
  const location = recordOf({ id, taxPricing: oneOf('Exclusive', 'Inclusive'), inventoryHold: flag });
  const integrator = { id: guid, name, allowEmptyTaxes: flag, records: oneOf('strict', 'passthrough') };
  const grant = { token, companies: listOf(id, 0), integrators: listOf(guid, 0) };
  const types = {
    companies: listOf(recordOf({ id, locations: listOf(location, 0) })),
    integrators: listOf(recordOf(integrator)),
    tokens: listOf(recordOf(grant)),
  };
  recordOf(types)('/registry', registry);
}

/** Checks that an object has no other members than these, then each of these. */
function recordOf(types: Record<string, TypeCheck>): TypeCheck {
  return (option, value) => {
    checkObject(option, value);
    checkNames(option, Object.keys(value), Object.keys(types));
    for (const [name, checkType] of Object.entries(types)) checkType(`${option}/${name}`, Reflect.get(value, name));
  };
}

function listOf(element: TypeCheck, least = 1): TypeCheck {
  return (option, value) => {
    const list = Array.isArray(value) ? value : [];
    check(option, list === value && list.length >= least, least === 0 ? 'a list' : 'a list that is not empty');
    for (const [index, each] of list.entries()) element(`${option}/${index}`, each);
  };
}

function oneOf(...choices: string[]): TypeCheck {
  return (option, value) =>
    check(option, value === undefined || choices.includes(value as string), `one of ${choices.join(', ')}`);
}
