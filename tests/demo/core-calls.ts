/** Watches the core of the page: its calls are counted, and the next one can be made to trap. */
import type { Page } from '@playwright/test';

/** Numbers of the functions (src/wasm/function.rs). */
export const PREVIEW_ORDER = 2;
export const EVALUATE_ITEM = 10;
export const EVALUATE_REST = 11;

interface Watched {
  calls: number[];
  trapsNext: boolean;
}

/** Must be called before the page is opened. */
export async function watchCore(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched: Watched = { calls: [], trapsNext: false };
    Object.assign(window, { watched });
    const { instantiate } = WebAssembly;
    const watch = async (module: WebAssembly.Module, imports: WebAssembly.Imports) => {
      const { exports } = await instantiate(module, imports);
      const call = (name: number, ...args: unknown[]) => {
        watched.calls.push(name);
        if (!watched.trapsNext) return (exports.call as CallableFunction)(name, ...args);
        watched.trapsNext = false;
        throw new WebAssembly.RuntimeError('unreachable');
      };
      return { exports: { ...exports, call } };
    };
    Object.assign(WebAssembly, { instantiate: watch });
  });
}

/** Returns the numbers of the functions that were called since the last time. */
export const takeCalls = (page: Page): Promise<number[]> =>
  page.evaluate(() => (window as unknown as { watched: Watched }).watched.calls.splice(0));

/** Types into a field and makes the core trap when it evaluates the change. */
export const typeAndTrap = (page: Page, pointer: string, value: string): Promise<void> =>
  page.locator(`[id="${pointer}"]`).evaluate((field: HTMLInputElement, text) => {
    // In one task: another change, not evaluated yet, must not use up the trap.
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    (window as unknown as { watched: Watched }).watched.trapsNext = true;
  }, value);
