import { useEffect, useRef, useState } from 'preact/hooks';
import { Choice, type DecimalSign } from './field';

/** The steps of the history; null if there is none. */
export interface Steps {
  undo: (() => void) | null;
  redo: (() => void) | null;
}

interface Props {
  startNew: () => void;
  open: (files: File[]) => void;
  save: () => void;
  steps: Steps;
  decimal: DecimalSign;
  setDecimal: (decimal: DecimalSign) => void;
}

const SIGNS = [
  ['.', '1.5'],
  [',', '1,5'],
] as const;

/** What can be done with the order as a whole. */
export function Actions({ startNew, open, save, steps, decimal, setDecimal }: Props) {
  const chooser = useRef<HTMLInputElement>(null);
  const isDragged = useDroppedFiles(open);
  useKeys(steps);
  return (
    <div class="actions">
      <button type="button" onClick={startNew}>
        New order
      </button>
      <button type="button" onClick={() => chooser.current?.click()}>
        Open a file
      </button>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        accept=".json,.ndjson,.jsonl,.csv,.tsv"
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // The same file can be chosen again after it was changed.
          currentTarget.value = '';
          if (files.length > 0) open(files);
        }}
      />
      <button type="button" onClick={save}>
        Save as JSON
      </button>
      <button type="button" aria-disabled={!steps.undo} onClick={() => steps.undo?.()}>
        Undo
      </button>
      <button type="button" aria-disabled={!steps.redo} onClick={() => steps.redo?.()}>
        Redo
      </button>
      <Choice
        name="decimal"
        label="Decimals"
        options={SIGNS}
        values={{ decimal: decimal as string }}
        at=""
        issues={[]}
        edit={({ to }) => setDecimal(to as DecimalSign)}
      />
      {isDragged && <p class="drop">Drop files with orders here: JSON, or CSV with its mapping</p>}
    </div>
  );
}

/** Takes files that are dropped anywhere on the page. Returns whether some are above it. */
function useDroppedFiles(open: (files: File[]) => void): boolean {
  const [isDragged, setDragged] = useState(false);
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer = 0;
    const drag = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setDragged(true);
      // This event is repeated while files are above the page.
      clearTimeout(timer);
      timer = window.setTimeout(() => setDragged(false), 500);
    };
    const drop = (event: DragEvent) => {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      setDragged(false);
      latest.current(files);
    };
    addEventListener('dragover', drag, { signal });
    addEventListener('drop', drop, { signal });
    return () => controller.abort();
  }, []);
  return isDragged;
}

/** Undoes and redoes with the usual keys. In a text field they are those of the field. */
function useKeys(steps: Steps): void {
  const latest = useRef(steps);
  latest.current = steps;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      const isField = (event.target as Element).matches('input:not([type=radio], [type=checkbox]), textarea');
      if (isField || !(event.ctrlKey || event.metaKey) || !['y', 'z'].includes(key)) return;
      event.preventDefault();
      if (key === 'y' || event.shiftKey) latest.current.redo?.();
      else latest.current.undo?.();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
