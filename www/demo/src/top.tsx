import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Draft } from './draft';
import { EXAMPLES } from './examples';
import { Icon } from './field';
import { store, stored } from './storage';

interface Props {
  load: (draft: Draft) => void;
  /** The draft that was set aside after an error. */
  setAside: Draft | null;
  children: ComponentChildren;
}

export function Top({ load, setAside, children }: Props) {
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
      {children}
    </header>
  );
}

const THEMES = ['auto', 'light', 'dark'] as const;

function ThemeButton() {
  const [theme, setTheme] = useState(() => THEMES.find((name) => name === stored('theme')) ?? 'auto');
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    store('theme', theme);
  }, [theme]);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto';
  return (
    <button type="button" class="theme" onClick={() => setTheme(next)}>
      Theme: {theme}
    </button>
  );
}
