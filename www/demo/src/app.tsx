import { useEffect, useErrorBoundary, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { Draft, RestoredDraft } from './draft';
import { type Edit, withEdit } from './edit';
import { Crashed } from './failure-card';
import { EXAMPLES } from './examples';
import type { Target } from './sender';
import { restoreDraft, storeDraft, takeFragment } from './storage';
import { Workspace } from './workspace';

const firstExample = () => EXAMPLES[0]?.load() as Draft;

/** Holds what must survive an error of the rest of the page: the draft and the token. */
export function App() {
  const [error, retry] = useErrorBoundary();
  const [restored] = useState(() => restoreDraft('draft'));
  const [example] = useState(firstExample);
  const [history, change] = useReducer(withEdit, {
    past: [],
    draft: restored?.draft ?? example,
    future: [],
    at: '',
  });
  const { draft, past, future } = history;
  const edit: (edit: Edit) => void = change;
  const [notice, setNotice] = useState(() => noticeOf('Your last draft', restored));
  // The draft of a link is stored when it is edited: looking at an order does not replace the user's own.
  const [linked, setLinked] = useState<Draft | null>(null);
  const [setAside, setSetAside] = useState(() => restoreDraft('draft.set-aside')?.draft ?? null);
  const [target, setTarget] = useState<Target>({ baseUrl: '', token: '' });

  useEffect(() => {
    if (draft === linked) return undefined;
    const timer = setTimeout(() => storeDraft('draft', draft), 300);
    return () => clearTimeout(timer);
  }, [draft, linked]);

  const load = (loaded: Draft, notice = '') => {
    setNotice(notice);
    edit({ kind: 'load', draft: loaded });
  };
  const putAside = (earlier: Draft) => {
    storeDraft('draft.set-aside', earlier);
    setSetAside(earlier);
  };
  const startOver = () => {
    putAside(draft);
    load(firstExample());
    retry();
  };
  const readFragment = () => {
    const { token, order } = takeFragment();
    if (token) setTarget((known) => ({ ...known, token }));
    if (order === 'unreadable') setNotice('The order of the link cannot be read.');
    else if (order) {
      if (draft !== linked && draft !== example) putAside(draft);
      setLinked(order.draft);
      load(order.draft);
      setNotice(noticeOf('The order of the link', order));
    }
  };
  const latest = useRef(readFragment);
  latest.current = readFragment;
  useLayoutEffect(() => {
    // A restarted service prints an address with another token; opening it in the same tab does not load the page again.
    const read = () => latest.current();
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);

  if (error) return <Crashed error={error} retry={retry} startOver={startOver} />;
  const steps = {
    undo: past.length > 0 ? () => change({ kind: 'undo' }) : null,
    redo: future.length > 0 ? () => change({ kind: 'redo' }) : null,
  };
  return <Workspace {...{ draft, edit, load, report: setNotice, steps, notice, setAside, target, setTarget }} />;
}

/** Reports the members that were reset; empty if there are none. */
function noticeOf(what: string, restored: RestoredDraft | null): string {
  const reset = [...new Set(restored?.reset)];
  return reset.length > 0
    ? `${what} had values that this page does not know. They are reset: ${reset.join(', ')}.`
    : '';
}
