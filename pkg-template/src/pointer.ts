/** The steps of a JSON Pointer (RFC 6901). */
export function stepsOf(pointer: string): string[] {
  if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/'))) {
    throw new TypeError('the place is to be a JSON Pointer such as /Items/3/Quantity');
  }
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A value with another one some steps deeper. What is on the way is copied, so whoever has the old value keeps it. */
export function replaced(holder: unknown, steps: readonly string[], value: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (Array.isArray(holder)) {
    // One after the last is a new entry.
    if (!/^(0|[1-9]\d*)$/.test(step) || Number(step) > holder.length) throw nothingAt(step);
    const list: unknown[] = [...holder];
    list[Number(step)] = replaced(holder[Number(step)], rest, value);
    return list;
  }
  if (typeof holder !== 'object' || holder === null) throw nothingAt(step);
  const record = holder as Record<string, unknown>;
  return { ...record, [step]: replaced(Object.hasOwn(record, step) ? record[step] : undefined, rest, value) };
}

/** The step alone: a name that somebody wrote is no value of the order (D45). */
function nothingAt(step: string): TypeError {
  return new TypeError(`there is nothing that could hold ${step.slice(0, 40)}`);
}
