// 'url' does not exist in type 'TestServiceOptions'.
import { createTestService } from 'sales-order-intake/testing';

createTestService({ url: 'https://intake.test' });
