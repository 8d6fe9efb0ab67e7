/**
 * The glue of a module: the JavaScript that passes strings to its functions, as wasm-bindgen generates it for bundlers. It is put into a
 * function that makes it for one instance, so that nothing runs at import, and that a fresh instance has fresh views of its memory.
 * Imports nothing that npm installs.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../places.mjs';

/** Where TypeScript finds the glue of the modules; git ignores it. */
export const GLUE = 'wasm/glue';

/** Copies a string one character after the other, which takes several times as long as `encodeInto`. */
const LOOP = /for \(; offset < len; offset\+\+\) \{\s*const code = arg\.charCodeAt\(offset\);[^}]*\}/;
/** The bytes are as many as the characters only if all are ASCII. If not, the code after the loop encodes the string with more room. */
const ENCODE_ASCII = 'if (cachedTextEncoder.encodeInto(arg, mem.subarray(ptr, ptr + len)).read === len) offset = len;';

/** Returns the glue that wasm-bindgen wrote beside a module, and its types. */
export function glueOf(module) {
  const generated = (extension) => readFileSync(module.replace(/\.wasm$/, extension), 'utf8');
  return { js: Buffer.from(functionOf(generated('.js'))), types: Buffer.from(typesOf(generated('.d.ts'))) };
}

/** Puts the generated JavaScript into a function. */
export function functionOf(generated) {
  const names = [];
  const body = generated
    .replace(once(LOOP, generated), ENCODE_ASCII)
    .replace(/^\s*export function (\w+)/gm, (_, name) => {
      names.push(name);
      return `function ${name}`;
    });
  if (/^\s*(ex|im)port\b/m.test(body)) throw new Error('wasm-bindgen writes an import, or exports more than functions');
  return `// Written by scripts/build/glue.mjs.\nexport function glue() {\n${body}\nreturn { ${names.join(', ')} };\n}\n`;
}

function typesOf(generated) {
  return `// Written by scripts/build/glue.mjs.
export interface Functions {
${generated.replaceAll('export function ', '')}}
export declare function glue(): Functions & { __wbg_set_wasm(exports: WebAssembly.Exports): void };
`;
}

/** Returns the pattern; throws unless it occurs once. */
function once(pattern, text) {
  const { length } = text.match(new RegExp(pattern, 'g')) ?? [];
  if (length !== 1) throw new Error(`the glue of wasm-bindgen has ${pattern} ${length ?? 0} times, and not once`);
  return pattern;
}

/** Writes the glue of the modules to where TypeScript finds it. @param {import('./core.mjs').Modules} modules */
export function writeGlue(modules) {
  mkdirSync(join(root, GLUE), { recursive: true });
  for (const [file, contents] of Object.entries(modules))
    if (!file.endsWith('.wasm')) writeFileSync(join(root, GLUE, file), contents);
}
