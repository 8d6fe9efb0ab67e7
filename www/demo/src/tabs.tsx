import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';

export const TABS = ['Receipt', 'Issues', 'Request', 'Send'] as const;
export type Tab = (typeof TABS)[number];

interface Props {
  tab: Tab;
  show: (tab: Tab) => void;
  count: number;
  /** Panels that are rendered only while they are shown, and Send, which continues behind other tabs. */
  children: [Record<Exclude<Tab, 'Send'>, () => ComponentChildren>, ComponentChildren];
}

/** Tabs as WAI-ARIA describes them: one tab stop, arrow keys to change. */
export function Tabs({ tab, show, count, children: [panels, send] }: Props) {
  const step = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length];
    if (!by || !next) return;
    show(next);
    document.getElementById(`tab-${next}`)?.focus();
    event.preventDefault();
  };
  return (
    <div class="tabs card">
      <div role="tablist" aria-label="Result" onKeyDown={step}>
        {TABS.map((name) => (
          <button
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === tab}
            aria-controls={`panel-${name}`}
            tabIndex={name === tab ? 0 : -1}
            onClick={() => show(name)}
          >
            {name}
            {name === 'Issues' && <span class="count"> {count}</span>}
          </button>
        ))}
      </div>
      {TABS.map((name) => (
        <div role="tabpanel" id={`panel-${name}`} aria-labelledby={`tab-${name}`} hidden={name !== tab} tabIndex={0}>
          {name === 'Send' ? send : name === tab && panels[name]()}
        </div>
      ))}
    </div>
  );
}
