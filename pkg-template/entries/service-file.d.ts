import type { OwnCore } from '../src/module.js';

/** The reference service in Node, which reads the file: that takes less memory than unpacking the text (service-source.d.ts). */
export declare const serviceSource: OwnCore;
