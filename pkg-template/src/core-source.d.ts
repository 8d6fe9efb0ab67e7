/**
 * Where the WebAssembly core comes from: the one difference between the entries. The build writes the module beside the
 * compiled code: for the default entry with the bytes as hexadecimal text, for edge workers as the module that their
 * platform has compiled, for `./slim` with `undefined`.
 *
 * Hexadecimal text rather than a separate file, which bundlers lose, and rather than base64, which compresses worse.
 */
export declare const coreSource: string | WebAssembly.Module | undefined;
