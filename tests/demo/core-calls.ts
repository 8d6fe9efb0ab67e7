/** Watches the core of the page: records its calls, and can make them trap. */
import type { Page } from '@playwright/test';

interface Watched {
  /** The names of the functions. */
  calls: string[];
  /** Every call traps. */
  isBroken: boolean;
}

/** Starts watching. Call it before the page is opened. */
export async function watchCore(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched: Watched = { calls: [], isBroken: false };
    Object.assign(window, { watched });
    const { instantiate, Instance } = WebAssembly;
    const watch = ({ exports }: WebAssembly.Instance) => {
      const watchedCall = (name: string, call: WebAssembly.ExportValue) => {
        // The others are those of the glue and the memory.
        if (name.startsWith('__') || typeof call !== 'function') return call;
        return (...args: unknown[]) => {
          watched.calls.push(name);
          if (!watched.isBroken) return call(...args);
          throw new WebAssembly.RuntimeError('unreachable');
        };
      };
      const entries = Object.entries(exports).map(([name, call]) => [name, watchedCall(name, call)]);
      return { exports: Object.fromEntries(entries) };
    };
    Object.assign(WebAssembly, {
      instantiate: async (module: WebAssembly.Module, imports: WebAssembly.Imports) =>
        watch(await instantiate(module, imports)),
      // After a trap the page starts a fresh instance.
      Instance: new Proxy(Instance, { construct: (target, args) => watch(Reflect.construct(target, args)) }),
    });
  });
}

/** Returns the names of the functions that were called since the last time. */
export const takeCalls = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { watched: Watched }).watched.calls.splice(0));

/** Types into a field, and makes the core trap until the page shows an error. */
export async function typeAndTrap(page: Page, pointer: string, value: string): Promise<void> {
  await page.locator(`[id="${pointer}"]`).evaluate((field: HTMLInputElement, text) => {
    // In one task: if another change were evaluated in between, the field would be gone.
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    (window as unknown as { watched: Watched }).watched.isBroken = true;
  }, value);
  await page.getByRole('alert').waitFor();
  await page.evaluate(() => {
    (window as unknown as { watched: Watched }).watched.isBroken = false;
  });
}
