/**
 * The core as a compiled module, as edge workers import WebAssembly, and bundlers that are set up for it. Give it to
 * `init` of `sales-order-intake/slim`. `never` if the program has no types of WebAssembly.
 */
declare const core: typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : never;
export default core;
