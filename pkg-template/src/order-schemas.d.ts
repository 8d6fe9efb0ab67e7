import type { Version } from './types.js';

/**
 * JSON Schemas as JSON, also published as `./schema/*.json`. The build writes the module beside the compiled code:
 * orders are described in the OpenAPI document of the reference service, and nowhere else.
 */
export declare const sentOrder: string;
/** The members in which its versions differ. */
export declare const sentHeads: Record<Version, { $id: string; description: string }>;
export declare const validOrder: string;
