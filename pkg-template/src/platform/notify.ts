/** Calls a function of the program, and ignores its errors: they must not make a created order look like a failure. */
export function notify(hook: () => unknown): void {
  try {
    const result = hook();
    // Async functions are accepted as well.
    if (result !== undefined) Promise.resolve(result).catch(() => {});
  } catch {
    // Ignored.
  }
}
