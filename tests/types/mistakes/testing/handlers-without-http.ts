// Expected 1 arguments, but got 0.
import type { TestService } from 'sales-order-intake/testing';

export const handlersOf = (service: TestService) => service.handlers();
