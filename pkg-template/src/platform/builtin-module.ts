/**
 * Returns a module of Node, or undefined on a platform without. Imports nothing, so that bundles for browsers can have it. Next's
 * edge runtime has `getBuiltinModule`, and throws if it is called.
 */
export function builtinModule<Module>(name: string): Module | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): Module | undefined } };
  try {
    return process?.getBuiltinModule?.(name);
  } catch {
    return undefined;
  }
}
