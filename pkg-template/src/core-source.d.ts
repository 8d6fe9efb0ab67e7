/**
 * Where the WebAssembly core comes from: the one difference between the entries. The build writes the module beside the
 * compiled code: for the default entry it unpacks the bytes from a text, for edge workers it is the module that their
 * platform has compiled, for `./slim` it is `undefined`.
 *
 * A text rather than a separate file, which bundlers lose, and rather than base64, which compresses worse.
 */
export declare const coreSource: (() => Uint8Array<ArrayBuffer>) | WebAssembly.Module | undefined;
