// Argument of type '"teapot"' is not assignable to parameter of type 'Fault'.
import type { TestService } from 'sales-order-intake/testing';

export const inject = ({ failNext }: TestService) => failNext('teapot');
