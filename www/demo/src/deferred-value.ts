import { useEffect, useState } from 'preact/hooks';

/**
 * Returns the value of an earlier render until what came with the new value is on the screen; then renders again with the
 * new value, in a task of its own. This is React's `useDeferredValue`: the one of preact/compat does not defer.
 */
export function useDeferredValue<T>(value: T): T {
  const [deferred, setDeferred] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDeferred(() => value));
    return () => clearTimeout(timer);
  }, [value]);
  return deferred;
}
