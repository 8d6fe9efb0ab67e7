const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Resolves at the first SIGINT or SIGTERM. The next one ends the process. */
export function interruption(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      for (const signal of SIGNALS) process.off(signal, stop);
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, stop);
  });
}
