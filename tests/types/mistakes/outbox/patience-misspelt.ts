// 'patience' does not exist in type 'StoreCheckOptions'. Did you mean to write 'patienceMs'?
import { storeChecks, type StoreLocation } from 'sales-order-intake/outbox/conformance';

export const checks = (place: StoreLocation) => storeChecks(() => place, { patience: 1 });
