// 'tokn' does not exist in type 'TestServiceOptions'. Did you mean to write 'token'?
import { createTestService } from 'sales-order-intake/testing';

createTestService({ tokn: 'x' });
