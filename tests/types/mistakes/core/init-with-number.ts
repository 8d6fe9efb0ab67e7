// Argument of type '42' is not assignable to parameter of type 'CoreSource
import { init } from 'sales-order-intake/slim';

void init(42);
