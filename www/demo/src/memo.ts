import { Component, type ComponentChild } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Returns a component that renders again only if its props have other values: an order may have hundreds of lines. */
export function memo<Props extends object>(render: (props: Props) => ComponentChild) {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      return !isEqual(next, this.props);
    }

    override render() {
      return render(this.props);
    }
  };
}

/** Compares plain data by value, and functions by identity. */
function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => name in other && isEqual(Reflect.get(one, name), Reflect.get(other, name)));
}

/**
 * Returns the value of an earlier render until the render with the new value is on the screen; then renders again with the
 * new value, in its own task, after `delay` milliseconds. This is React's `useDeferredValue`: the one of preact/compat does
 * not defer.
 */
export function useDeferredValue<T>(value: T, delay = 0): T {
  const [deferred, setDeferred] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDeferred(() => value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return deferred;
}
