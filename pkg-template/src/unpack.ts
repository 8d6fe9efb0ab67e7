/**
 * Unpacks the bytes of the core from the text that scripts/packed-core.mjs makes of them.
 *
 * The text is ASCII, so it survives every bundler and server. Each frequent byte is one character and each other byte two,
 * which compresses nearly as well as the bytes themselves; hexadecimal digits are 2.5 KB larger. A loop in JavaScript would
 * run once, before it is optimised, and take longer than compiling the core; so a module of 122 bytes does it.
 */

/**
 * ```wat
 * (memory (export "m") 1)
 * (func (export "u") (param $from i32) (param $end i32) (param $to i32) (result i32) (local $at i32)
 *   (loop
 *     (local.set $at (i32.load8_u (local.get $from)))
 *     (local.set $from (i32.add (local.get $from) (i32.const 1)))
 *     (if (i32.gt_u (local.get $at) (i32.const 124)) (then
 *       (local.set $at (i32.add (i32.shl (i32.sub (local.get $at) (i32.const 124)) (i32.const 7))
 *         (i32.load8_u (local.get $from))))
 *       (local.set $from (i32.add (local.get $from) (i32.const 1)))))
 *     (i32.store8 (local.get $to) (i32.load8_u (local.get $at)))
 *     (local.set $to (i32.add (local.get $to) (i32.const 1)))
 *     (br_if 0 (i32.lt_u (local.get $from) (local.get $end))))
 *   (local.get $to))
 * ```
 */
const UNPACKER = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 8, 1, 96, 3, 127, 127, 127, 1, 127, 3, 2, 1, 0, 5, 3, 1, 0, 1, 7, 9, 2, 1, 109, 2, 0,
  1, 117, 0, 0, 10, 82, 1, 80, 1, 1, 127, 3, 64, 32, 0, 45, 0, 0, 33, 3, 32, 0, 65, 1, 106, 33, 0, 32, 3, 65, 252, 0,
  75, 4, 64, 32, 3, 65, 252, 0, 107, 65, 7, 116, 32, 0, 45, 0, 0, 106, 33, 3, 32, 0, 65, 1, 106, 33, 0, 11, 32, 2, 32,
  3, 45, 0, 0, 58, 0, 0, 32, 2, 65, 1, 106, 33, 2, 32, 0, 32, 1, 73, 13, 0, 11, 32, 2, 11,
];

/** The first characters say which bytes are one character: a bit each, in hexadecimal digits. */
const BITMAP = 64;
/** Where the text is put: after a table for single characters, and one for the second of two after each prefix. */
const TABLES = 3 * 128;

/** The characters in use: printable, and not special in strings of JavaScript and in HTML. The last two are prefixes. */
const isUsed = (code: number) => code !== 60 && code !== 92;
const FIRST = 35;
const LAST = 126;

export function unpack(packed: string): Uint8Array<ArrayBuffer> {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(UNPACKER)));
  const { m: memory, u: run } = exports as {
    m: WebAssembly.Memory;
    u(from: number, end: number, to: number): number;
  };
  // No more bytes come out than characters go in.
  memory.grow((2 * packed.length) >>> 16);
  const bytes = new Uint8Array(memory.buffer);
  let single = FIRST;
  let pair = FIRST + 128;
  for (let byte = 0; byte < 256; byte++) {
    if ((Number.parseInt(packed[byte >> 2] as string, 16) >> (byte & 3)) & 1) {
      bytes[single++] = byte;
      if (!isUsed(single)) single++;
    } else {
      bytes[pair++] = byte;
      if (!isUsed(pair & 127)) pair++;
      if ((pair & 127) > LAST) pair += 128 + FIRST - 1 - LAST;
    }
  }
  const { written } = new TextEncoder().encodeInto(packed.slice(BITMAP), bytes.subarray(TABLES));
  const start = TABLES + written;
  return bytes.slice(start, run(TABLES, start, start));
}
