// Argument of type '{ url: string; }' is not assignable to parameter of type 'CoreSource
import { init } from 'sales-order-intake/slim';

void init({ url: '/core.wasm' });
