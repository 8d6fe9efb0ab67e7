import type { Draft, Row } from './draft';

/** One change of a draft. `at` is a JSON Pointer to a value, to a row, or to the list that gets a row. */
export type Edit =
  | { kind: 'set'; at: string; to: unknown }
  | { kind: 'merge'; members: Partial<Draft> }
  | { kind: 'add'; at: string; row: Row }
  | { kind: 'remove'; at: string }
  | { kind: 'move'; at: string; by: 1 | -1 }
  | { kind: 'load'; draft: Draft };

/** The draft, and those before and after it. */
export interface History {
  past: readonly Draft[];
  draft: Draft;
  future: readonly Draft[];
  /** The field that was edited last: what is typed into one field is undone in one step. */
  at: string;
}

/** A step back or forward. */
type Step = { kind: 'undo' } | { kind: 'redo' };

/** The number of steps that can be undone. */
const MOST_STEPS = 200;

/** Returns the history after a change, or after a step back or forward. */
export function withEdit({ past, draft, future, at }: History, edit: Edit | Step): History {
  if (edit.kind === 'undo') {
    const earlier = past.at(-1);
    return { past: past.slice(0, -1), draft: earlier ?? draft, future: earlier ? [draft, ...future] : future, at: '' };
  }
  if (edit.kind === 'redo') {
    const [later, ...rest] = future;
    return { past: later ? [...past, draft] : past, draft: later ?? draft, future: rest, at: '' };
  }
  const next = edited(draft, edit);
  const field = edit.kind === 'set' ? edit.at : '';
  // An Id that is derived from the cart key follows it.
  if (field === '/Id' && draft.idFrom === 'key') return { past, draft: next, future, at };
  const isContinued = field !== '' && field === at;
  return { past: isContinued ? past : [...past, draft].slice(-MOST_STEPS), draft: next, future: [], at: field };
}

export type SetEdit = Extract<Edit, { kind: 'set' }>;
export type Dispatch = (edit: Edit) => void;

/** Returns the changed draft. Unchanged parts stay the same objects, so they are neither evaluated nor rendered again. */
export function edited(draft: Draft, edit: Edit): Draft {
  switch (edit.kind) {
    case 'load':
      return edit.draft;
    case 'merge':
      return { ...draft, ...edit.members };
    case 'set':
      return changed(draft, stepsOf(edit.at), () => edit.to);
    case 'add':
      return changed(draft, stepsOf(edit.at), (rows) => [...(rows as Row[]), edit.row]);
    case 'remove':
      return changedList(draft, edit.at, (rows, index) => rows.toSpliced(index, 1));
    case 'move':
      return changedList(draft, edit.at, (rows, index) => moved(rows, index, index + edit.by));
  }
}

/** Returns the value at a JSON Pointer; undefined if there is none. */
export function valueAt(draft: Draft, pointer: string): unknown {
  return stepsOf(pointer).reduce<unknown>((value, step) => (Object(value) as Record<string, unknown>)[step], draft);
}

const stepsOf = (pointer: string) => pointer.split('/').slice(1);

function moved(rows: Row[], from: number, to: number): Row[] {
  if (to < 0 || to >= rows.length) return rows;
  return rows.toSpliced(from, 1).toSpliced(to, 0, ...rows.slice(from, from + 1));
}

function changedList(draft: Draft, at: string, change: (rows: Row[], index: number) => Row[]): Draft {
  const steps = stepsOf(at);
  const index = Number(steps.pop());
  return changed(draft, steps, (rows) => change(rows as Row[], index));
}

function changed<T>(value: T, steps: string[], change: (value: unknown) => unknown): T {
  const [step, ...rest] = steps;
  if (step === undefined) return change(value) as T;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as T & Record<string, unknown>;
  Object.assign(copy, { [step]: changed(copy[step], rest, change) });
  return copy;
}
