import { useEffect, useState } from 'preact/hooks';

const THEMES = ['auto', 'light', 'dark'] as const;
const STORED_AS = 'sales-order-intake.theme';

export function ThemeButton() {
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
