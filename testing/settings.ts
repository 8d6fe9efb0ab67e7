import { parseGuid } from 'sales-order-intake';
import { parseBaseUrl } from '../www/options/base-url.js';
import { check, checkNames, checkObject, copyOptions, wrongOption, isToken, TOKEN_FORM } from '../www/options/check.js';
import type { IntakeSettings } from './intake.js';
import { checkRegistry } from './rules.js';
import type { PlatformType } from '../www/platform/platform.js';

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

/** The options of a test service, checked and with their defaults. */
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
  const [, path = '', problem = ''] = /^(\w+\[\S+) (.*)/.exec(errors) ?? ['', '', `is not valid: ${errors}`];
  const pointer = path.replaceAll(/\[(\d+)\]/g, '/$1').replaceAll('.', '/');
  throw wrongOption(path === '' ? '/registry' : `/registry/${pointer}`, problem);
}

function checkTypes(registry: TestRegistry): void {
  checkMembers('/registry', registry, ['companies', 'integrators', 'tokens']);
  const { companies, integrators, tokens } = registry;
  for (const [at, company] of entriesOf('/registry/companies', companies)) {
    checkMembers(at, company, ['id', 'locations']);
    checkId(`${at}/id`, company.id);
    for (const [below, location] of entriesOf(`${at}/locations`, company.locations, 0)) {
      checkMembers(below, location, ['id', 'taxPricing', 'inventoryHold']);
      checkId(`${below}/id`, location.id);
      checkChoice(`${below}/taxPricing`, location.taxPricing, ['Exclusive', 'Inclusive']);
      checkFlag(`${below}/inventoryHold`, location.inventoryHold);
    }
  }
  for (const [at, integrator] of entriesOf('/registry/integrators', integrators)) {
    checkMembers(at, integrator, ['id', 'name', 'allowEmptyTaxes', 'records']);
    check(`${at}/id`, parseGuid(integrator.id) !== null, 'a GUID');
    check(`${at}/name`, typeof integrator.name === 'string', 'a string');
    checkFlag(`${at}/allowEmptyTaxes`, integrator.allowEmptyTaxes);
    checkChoice(`${at}/records`, integrator.records, ['strict', 'passthrough']);
  }
  for (const [at, grant] of entriesOf('/registry/tokens', tokens)) {
    checkMembers(at, grant, ['token', 'companies', 'integrators']);
    check(`${at}/token`, isToken(grant.token), TOKEN_FORM);
    for (const [below, id] of entriesOf(`${at}/companies`, grant.companies, 0)) checkId(below, id);
    for (const [below, id] of entriesOf(`${at}/integrators`, grant.integrators, 0)) {
      check(below, parseGuid(id) !== null, 'a GUID');
    }
  }
}

/** Returns the elements of a list, each with its pointer. */
function entriesOf<Element>(option: string, list: readonly Element[], least = 1): [string, Element][] {
  const expected = least === 0 ? 'a list' : 'a list that is not empty';
  check(option, Array.isArray(list) && list.length >= least, expected);
  return list.map((element, index) => [`${option}/${index}`, element]);
}

function checkMembers(option: string, value: object, names: readonly string[]): void {
  checkObject(option, value);
  checkNames(option, Object.keys(value), names);
}

function checkId(option: string, id: unknown): void {
  check(option, Number.isSafeInteger(id), 'a whole number');
}

function checkChoice(option: string, value: unknown, choices: readonly string[]): void {
  check(option, value === undefined || choices.includes(value as string), `one of ${choices.join(', ')}`);
}

function checkFlag(option: string, value: unknown): void {
  check(option, value === undefined || typeof value === 'boolean', 'a boolean');
}
