/**
 * Makes `instanceof` hold for errors of another copy of this package: a program may load it twice, as ECMAScript modules and as
 * CommonJS for instance. The `[Symbol.hasInstance]` of each class of the package is {@link isInstance}; the constructor of each
 * base class calls {@link markClasses}.
 */

/** The key of an error's class names. A registered symbol is the same in every copy. */
const CLASS_NAMES = /* @__PURE__ */ Symbol.for('sales-order-intake.error');

type ErrorClass = abstract new (...args: never[]) => Error;

/** Returns true for an instance of the class, or of the class with its name in another copy of this package. */
export function isInstance(this: ErrorClass, value: unknown): boolean {
  try {
    if (Function.prototype[Symbol.hasInstance].call(this, value)) return true;
    // A class that inherits the function is a program's own subclass: another class with its name is a different one.
    if (!Object.hasOwn(this, Symbol.hasInstance)) return false;
    const names = (value as { [CLASS_NAMES]?: unknown } | null | undefined)?.[CLASS_NAMES];
    return Array.isArray(names) && names.includes(this.prototype.name);
  } catch {
    // A revoked proxy, which a function of the program has thrown.
    return false;
  }
}

/** Marks an error with the names of the package's classes that it is an instance of. */
export function markClasses(error: Error): void {
  const names: string[] = [];
  for (let prototype = Object.getPrototypeOf(error); prototype; prototype = Object.getPrototypeOf(prototype))
    if (Object.hasOwn(prototype.constructor, Symbol.hasInstance)) names.push(prototype.name);
  defineMember(error, CLASS_NAMES, names);
  // A derived class may assign a name of its own, which the getter alone would not permit.
  defineMember(error, 'name', error.name);
}

/** Defines a member that is not enumerable: printing the error does not show it. */
export function defineMember(error: Error, member: PropertyKey, value: unknown, enumerable = false): void {
  // Without a prototype, because a program may have added `get` to that of all objects.
  Object.defineProperty(error, member, {
    __proto__: null,
    value,
    enumerable,
    writable: true,
    configurable: true,
  } as PropertyDescriptor);
}
