import { useEffect, useState } from 'preact/hooks';

const THEMES = ['auto', 'light', 'dark'] as const;
const PLACE = 'sales-order-intake.theme';

export function ThemeButton() {
  const [theme, setTheme] = useState(() => THEMES.find((name) => name === stored()) ?? 'auto');
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem(PLACE, theme);
    } catch {
      // Forbidden: it holds for this visit.
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
    return localStorage.getItem(PLACE);
  } catch {
    return null;
  }
}
