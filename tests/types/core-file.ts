// The core imported as a module, as in edge workers (tests/types/compile.test.mjs).
import core from 'sales-order-intake/core.wasm';
import { init } from 'sales-order-intake/slim';

export const start: () => Promise<void> = () => init(core);
