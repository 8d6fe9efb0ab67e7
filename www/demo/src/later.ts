import { useEffect, useState } from 'preact/hooks';

/** The value as it was; as it is, once what came with it is on the screen, in a task of its own. */
export function useLater<T>(value: T): T {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(() => value));
    return () => clearTimeout(timer);
  }, [value]);
  return later;
}
