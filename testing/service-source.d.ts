import type { OwnCore } from '../pkg-template/src/module.js';

/** The reference service: the build writes its bytes as text, as those of the core (core-source.d.ts). */
export declare const serviceSource: OwnCore;
