/** Configurable: a proxy may return a proxy of the value. */
const DESCRIPTOR: PropertyDescriptor = { value: undefined, configurable: true, enumerable: false, writable: false };
/** For programs that have added `get` or `set` to all objects. Defining with it takes longer, because it has no prototype. */
const BARE_DESCRIPTOR = /* @__PURE__ */ Object.assign(
  /* @__PURE__ */ Object.create(null),
  DESCRIPTOR,
) as typeof DESCRIPTOR;

/**
 * Adds a value to an object that neither its copies nor its JSON have. A private field can't be read through a proxy, in which state
 * libraries may wrap the object. What is in a WeakMap outlives the young generation: `check` of a large file would take 10 % longer.
 */
export function hide(object: object, name: symbol, value: object): void {
  const descriptor = 'get' in DESCRIPTOR || 'set' in DESCRIPTOR ? BARE_DESCRIPTOR : DESCRIPTOR;
  descriptor.value = value;
  Object.defineProperty(object, name, descriptor);
  descriptor.value = undefined;
}
