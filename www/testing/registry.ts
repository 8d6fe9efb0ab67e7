import { parseGuid } from 'sales-order-intake';

/** The companies, integrators and tokens of a service, like the registry file of the reference service. */
export interface TestRegistry {
  companies: { id: number; locations: ({ id: number } & TestLocation)[] }[];
  integrators: ({ id: string } & TestIntegrator)[];
  /** Tokens, each with the companies and integrators it is for. */
  tokens: { token: string; companies: number[]; integrators: string[] }[];
}

/** A location (entity) of a company. */
export interface TestLocation {
  /** Inclusive: every order is rejected (D21). If absent, the location has no configuration. */
  taxPricing?: 'Exclusive' | 'Inclusive';
  /** The WasCreatedWithInventoryHold of its orders. */
  inventoryHold?: boolean;
}

/** A source of orders. */
export interface TestIntegrator {
  /** The OrderSource.Name of its orders. */
  name: string;
  /** Whether `Taxes: []` means "no taxes"; otherwise it is an error (D9). */
  allowEmptyTaxes?: boolean;
  /** How Discount and Taxes records are read (D10, D13). */
  records?: 'strict' | 'passthrough';
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
