import type { OwnCore } from './module.js';

/**
 * The core of an entry: the one module of the package that differs between platforms. The build writes it. It has the bytes as
 * text, because bundlers lose separate files; for edge workers, which don't compile bytes, it imports the compiled module.
 */
export declare const coreSource: OwnCore;
/** The functions of the core about the fates of orders; undefined if the core has them. */
export declare const fatesSource: OwnCore | undefined;
