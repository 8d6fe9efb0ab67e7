import { useEffect, useReducer, useState } from 'preact/hooks';
import type { Draft } from './draft';
import { edited } from './edit';
import { ErrorBoundary } from './error-boundary';
import { EXAMPLES } from './examples';
import type { Target } from './sender';
import { restoreDraft, restoreDraftSetAside, setDraftAside, storeDraft } from './storage';
import { Workspace } from './workspace';

interface Props {
  /** Returns the token in the fragment of the address and removes it there; empty if there is none. */
  takeToken: () => string;
}

const firstExample = () => EXAMPLES[0]?.load() as Draft;

/** Holds what must survive an error of the rest of the page: the draft and the token. */
export function App({ takeToken }: Props) {
  const [restored, setRestored] = useState(restoreDraft);
  const [draft, edit] = useReducer(edited, undefined, () => restored?.draft ?? firstExample());
  const [setAside, setSetAside] = useState(() => restoreDraftSetAside()?.draft ?? null);
  const [target, setTarget] = useState<Target>(() => ({ baseUrl: '', token: takeToken() }));

  useEffect(() => {
    const timer = setTimeout(() => storeDraft(draft), 300);
    return () => clearTimeout(timer);
  }, [draft]);
  useEffect(() => {
    // A restarted service prints an address with another token; opening it in the same tab does not load the page again.
    const readToken = () => {
      const token = takeToken();
      if (token) setTarget((known) => ({ ...known, token }));
    };
    addEventListener('hashchange', readToken);
    return () => removeEventListener('hashchange', readToken);
  }, [takeToken]);

  const load = (loaded: Draft) => {
    setRestored(null);
    edit({ kind: 'load', draft: loaded });
  };
  const startOver = () => {
    setDraftAside(draft);
    setSetAside(draft);
    load(firstExample());
  };
  return (
    <ErrorBoundary startOver={startOver}>
      <Workspace
        draft={draft}
        edit={edit}
        load={load}
        reset={restored?.reset ?? []}
        setAside={setAside}
        target={target}
        setTarget={setTarget}
      />
    </ErrorBoundary>
  );
}
