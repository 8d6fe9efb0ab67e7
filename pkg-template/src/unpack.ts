/**
 * Unpacks the bytes of the core from the text that scripts/build/core-text.mjs makes of them.
 *
 * The text is ASCII, so it survives every bundler and server. It is made of streams, which compress better than the bytes
 * themselves. In each, a frequent byte is one character and another byte two. Loops in JavaScript would run once, before
 * they are optimised, and take longer than compiling the core; so a small module runs them (pkg-template/unpack.wat).
 */

/** Where the module expects the streams. */
const STREAMS = 896;

interface Unpacker {
  m: WebAssembly.Memory;
  u(from: number, end: number, to: number): number;
  j(end: number, to: number): number;
}

/** Unpacks the text with a module, the assembled unpack.wat. */
export function unpack(text: string, unpacker: readonly number[]): Uint8Array<ArrayBuffer> {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(unpacker)));
  const { m: memory, u: toBytes, j: join } = exports as unknown as Unpacker;
  // For the characters, the streams, and the core, which is hardly larger than these.
  memory.grow((3 * text.length) >>> 16);
  const bytes = new Uint8Array(memory.buffer);
  const addresses = new Uint32Array(memory.buffer);
  const encoder = new TextEncoder();
  let end = STREAMS;
  for (const [index, stream] of text.split(' ').entries()) {
    const { written } = encoder.encodeInto(stream, bytes.subarray(end));
    addresses[index] = end;
    end = toBytes(end, end + written, end);
  }
  return bytes.slice(end, join(addresses[2] as number, end));
}
