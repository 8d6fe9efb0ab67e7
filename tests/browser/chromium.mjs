import { chromium } from 'playwright-core';
import { chromium as program, FLAGS } from '../../scripts/chromium.mjs';

/** Starts the system's Chromium. */
export function startChromium() {
  return chromium.launch({ executablePath: program(), args: FLAGS });
}
