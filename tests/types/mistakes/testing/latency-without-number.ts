// Argument of type '"latency=long"' is not assignable to parameter of type 'Fault'.
import type { TestService } from 'sales-order-intake/testing';

export const inject = ({ failNext }: TestService) => failNext('latency=long');
