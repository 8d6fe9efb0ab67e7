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
