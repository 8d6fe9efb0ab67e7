import { parseGuid } from 'sales-order-intake';

/**
 * The companies, integrators and tokens of a service, like the registry file of the reference service. It is read at each
 * request, so that a test may change it.
 */
export interface TestRegistry {
  /** The companies with their locations; at least one. Their ids are whole numbers from 1. */
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
    /** The ids of the companies for whose orders it may be used. */
    readonly companies: readonly number[];
    /** The ids of the integrators for whose orders it may be used. */
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
   * Whether `Taxes: []` means "no taxes"; otherwise it is an error (D9).
   * @default false
   */
  readonly allowEmptyTaxes?: boolean | undefined;
  /**
   * How Discount and Taxes records are read (D10, D13).
   * @default 'strict'
   */
  readonly records?: 'strict' | 'passthrough' | undefined;
}

/** What the bearer of a token may do. */
export interface Grant {
  forCompany(id: number): boolean;
  forIntegrator(id: string): boolean;
}

/** A registry that is read at each request, so that a test may change it. */
export interface Registry {
  /** One of its tokens. */
  readonly token: string;
  grant(token: string): Grant | undefined;
  location(company: number, entity: number): TestLocation | undefined;
  integrator(id: string): TestIntegrator | undefined;
}

export function registryOf(given: TestRegistry): Registry {
  const same = (id: string, other: string) => parseGuid(id) === parseGuid(other);
  return {
    token: given.tokens[0]?.token ?? '',
    grant(token) {
      const found = given.tokens.find((other) => other.token === token);
      return (
        found && {
          forCompany: (id) => found.companies.includes(id),
          forIntegrator: (id) => found.integrators.some((other) => same(id, other)),
        }
      );
    },
    location: (company, entity) =>
      given.companies.find(({ id }) => id === company)?.locations.find(({ id }) => id === entity),
    integrator: (id) => given.integrators.find((other) => same(id, other.id)),
  };
}

/** One token, for every company, location and integrator there can be. */
export function openRegistry(token: string): Registry {
  return {
    token,
    grant: (given) => (given === token ? { forCompany: () => true, forIntegrator: () => true } : undefined),
    location: () => ({}),
    integrator: () => ({ name: 'Test integrator' }),
  };
}
