import { chromium } from 'playwright-core';
import { chromium as program, FLAGS } from '../../scripts/chromium.mjs';

/** Starts the system's Chromium. Only a hang takes as long as the time-out. */
export function startChromium() {
  return chromium.launch({ executablePath: program(), args: FLAGS, timeout: 300_000 });
}
