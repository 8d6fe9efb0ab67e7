/**
 * The core as a compiled module, which edge workers import, and bundlers that are configured for it. Pass it to
 * `init` of `sales-order-intake/slim`. `never` if the program has no types of WebAssembly.
 */
declare const core: typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : never;
export default core;
