// Argument of type '200' is not assignable to parameter of type 'Fault'.
import type { TestService } from 'sales-order-intake/testing';

export const inject = ({ failNext }: TestService) => failNext(200);
