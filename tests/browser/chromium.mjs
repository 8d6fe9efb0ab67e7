/** As much of WebDriver as the tests need: open a page, run a function in it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { capabilities, chromium } from '../../scripts/chromium.mjs';

export async function startChromium() {
  const { browser, driver } = chromium();
  const process = spawn(driver, ['--port=0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const base = `http://127.0.0.1:${await portOf(process)}`;
  const { sessionId } = await send(base, 'POST', '/session', {
    capabilities: { alwaysMatch: { ...capabilities(browser), timeouts: { script: 120_000 } } },
  });
  const session = `/session/${sessionId}`;
  return {
    open: (url) => send(base, 'POST', `${session}/url`, { url: String(url) }),
    /** Runs an async function of the page in it, and gives what it resolves to. */
    run: (code) =>
      send(base, 'POST', `${session}/execute/async`, {
        script: `const done = arguments[0]; (${code})().then(done, (error) => done(String(error)));`,
        args: [],
      }),
    async stop() {
      await send(base, 'DELETE', session);
      process.kill();
      await once(process, 'exit');
    },
  };
}

async function portOf(process) {
  for await (const line of createInterface(process.stdout)) {
    const port = line.match(/started successfully on port (\d+)/)?.[1];
    if (port) return port;
  }
  throw new Error('chromedriver did not start');
}

async function send(base, method, path, body) {
  const response = await fetch(base + path, { method, body: body && JSON.stringify(body) });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}
