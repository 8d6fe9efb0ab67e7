/**
 * Throws unless the module imports only what its glue (glue.mjs) has, and exports what the glue calls, and nothing else. A part of the core
 * exports less than the glue of the core calls.
 */
export function checkCore(core, glue, { isPart = false } = {}) {
  const module = new WebAssembly.Module(core);
  const imported = WebAssembly.Module.imports(module).map(({ name }) => name);
  const unknown = imported.filter((name) => !glue.includes(`function ${name}(`));
  if (unknown.length > 0) throw new Error(`The core imports ${unknown.join(', ')}, which its glue does not have`);
  const exported = WebAssembly.Module.exports(module).map(({ name }) => name);
  const called = new Set([START, ...[...glue.toString().matchAll(/\bwasm\.(\w+)/g)].map(([, name]) => name)]);
  const isFitting = exported.every((name) => called.has(name)) && (isPart || exported.length === called.size);
  if (!isFitting) throw new Error(`The core exports ${exported.join(', ')}; its glue calls ${[...called].join(', ')}`);
}

/** pkg-template/src/program.ts calls it. */
const START = '__wbindgen_start';
