import type { OwnCore } from '../src/module.js';

/** The reference service of an entry, as its core is (core-source.d.ts). */
export declare const serviceSource: OwnCore;
