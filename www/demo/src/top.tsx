import { useEffect, useRef, useState } from 'preact/hooks';
import type { Draft } from './draft';
import { EXAMPLES } from './examples';
import { Icon } from './field';

interface Props {
  load: (draft: Draft) => void;
  /** The draft that was set aside after an error. */
  setAside: Draft | null;
}

export function Top({ load, setAside }: Props) {
  const examples = setAside ? [...EXAMPLES, { name: 'Draft set aside', load: () => setAside }] : EXAMPLES;
  const select = useRef<HTMLSelectElement>(null);
  return (
    <header class="top">
      <div>
        <h1>
          <Icon name="logo" /> Sales order intake
        </h1>
        <p>Check an order before you send it</p>
      </div>
      <div class="examples">
        <label for="example">Example</label>
        <select id="example" ref={select}>
          {examples.map(({ name }, index) => (
            <option value={index}>{name}</option>
          ))}
        </select>
        <button
          type="button"
          onClick={() => {
            const example = examples[Number(select.current?.value)];
            if (example) load(example.load());
          }}
        >
          Load
        </button>
      </div>
      <ThemeButton />
    </header>
  );
}

const THEMES = ['auto', 'light', 'dark'] as const;
const STORED_AS = 'sales-order-intake.theme';

function ThemeButton() {
  const [theme, setTheme] = useState(() => THEMES.find((name) => name === stored()) ?? 'auto');
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem(STORED_AS, theme);
    } catch {
      // Storage is forbidden: the theme lasts for this visit.
    }
  }, [theme]);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto';
  return (
    <button type="button" class="theme" onClick={() => setTheme(next)}>
      Theme: {theme}
    </button>
  );
}

function stored(): string | null {
  try {
    return localStorage.getItem(STORED_AS);
  } catch {
    return null;
  }
}
