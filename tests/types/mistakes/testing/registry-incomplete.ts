// Type '{ companies: never[]; }' is missing the following properties from type 'TestRegistry': integrators, tokens
import { createTestService } from 'sales-order-intake/testing';

createTestService({ registry: { companies: [] } });
