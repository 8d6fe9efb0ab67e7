/** Waits until a condition holds, and returns its value. */
export async function until(condition, what = String(condition), limitMs = 60_000) {
  const endsAt = performance.now() + limitMs;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (performance.now() > endsAt) throw new Error(`not within ${limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
