/** Runs `action` while `holder[name]` is replaced by `value`. */
export async function whileReplaced(holder, name, value, action) {
  const original = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(holder, name));
  Object.defineProperty(holder, name, { configurable: true, writable: true, value });
  try {
    return await action();
  } finally {
    Object.defineProperty(holder, name, original);
  }
}

/** Wraps a constructor or function in one that counts its uses. */
export function counted(original) {
  let uses = 0;
  const stub = new Proxy(original, {
    construct(target, args) {
      uses++;
      return new target(...args);
    },
    apply(target, self, args) {
      uses++;
      return target.apply(self, args);
    },
  });
  return { stub, uses: () => uses };
}
