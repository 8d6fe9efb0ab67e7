import { useEffect, useState } from 'preact/hooks';

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
