import { useEffect, useState } from 'preact/hooks';
import type { Attempt } from './sender';

/** Attempts, retries and waits as they happen. */
export function Progress({ attempts, busy }: { attempts: Attempt[]; busy: boolean }) {
  const last = attempts.at(-1);
  return (
    <div role="log" aria-label="Attempts">
      <ol class="attempts">
        {attempts.map((attempt) => (
          <li
            key={attempt.number}
            class={attempt.status && attempt.status < 300 ? 'good' : attempt.status || attempt.reason ? 'bad' : ''}
          >
            <b>Attempt {attempt.number}</b> {saying(attempt, busy && attempt === last)}
            {attempt.fault && <i> asked for {attempt.fault}</i>}
            {attempt.waitMs !== undefined && (
              <span class="wait">
                {' '}
                waits {seconds(attempt.waitMs)}{' '}
                {busy && attempt === last && <Countdown key={attempt.number} ms={attempt.waitMs} />}
              </span>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

function saying({ status, tookMs, reason }: Attempt, isRunning: boolean): string {
  if (status !== undefined) return `answered ${status || 'with a redirect'} after ${tookMs} ms${reason ? ',' : ''}`;
  if (reason) return `had no answer (${reason}),`;
  return isRunning ? 'is on its way' : 'had no answer';
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

function Countdown({ ms }: { ms: number }) {
  const [since] = useState(() => performance.now());
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setPassed(performance.now() - since), 100);
    return () => clearInterval(timer);
  }, []);
  return <progress aria-hidden="true" max={ms} value={Math.min(ms, passed)} />;
}
