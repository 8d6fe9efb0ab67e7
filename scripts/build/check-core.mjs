/** The exports that the loader calls (docs/contributing/boundary.md). */
export const EXPORTS = ['memory', 'input', 'call', 'response'];

/** Throws if the core imports anything, or exports other names than the package's loader expects. */
export function checkCore(core) {
  const module = new WebAssembly.Module(core);
  const imported = WebAssembly.Module.imports(module).map(({ name }) => name);
  if (imported.length > 0) throw new Error(`The core imports ${imported.join(', ')}; the loader provides no imports`);
  const exported = WebAssembly.Module.exports(module).map(({ name }) => name);
  if (exported.toSorted().join() !== EXPORTS.toSorted().join())
    throw new Error(`The core exports ${exported.join(', ')}; the loader expects ${EXPORTS.join(', ')}`);
}
