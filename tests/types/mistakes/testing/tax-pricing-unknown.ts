// Type '"Both"' is not assignable to type '"Exclusive" | "Inclusive" | undefined'.
import { createTestService } from 'sales-order-intake/testing';

createTestService({
  registry: { companies: [{ id: 1, locations: [{ id: 2, taxPricing: 'Both' }] }], integrators: [], tokens: [] },
});
