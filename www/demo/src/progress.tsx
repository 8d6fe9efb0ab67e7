import { useEffect, useState } from 'preact/hooks';
import type { Attempt } from './sender';

/** Attempts, retries and waits as they happen. */
export function Progress({ attempts, busy }: { attempts: Attempt[]; busy: boolean }) {
  const last = attempts.at(-1);
  return (
    <div role="log" aria-label="Attempts">
      <ol class="attempts">
        {attempts.map((attempt) => {
          const isCurrent = busy && attempt === last;
          return (
            <li key={attempt.number} class={styleOf(attempt)}>
              <b>Attempt {attempt.number}</b>: {stateOf(attempt, isCurrent)}
              {attempt.fault && <i> (injected: {attempt.fault})</i>}
              {attempt.waitMs !== undefined && (
                <span>
                  , retry after {seconds(attempt.waitMs)}{' '}
                  {isCurrent && <Countdown key={attempt.number} ms={attempt.waitMs} />}
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function styleOf({ status, error }: Attempt): string {
  if (status !== undefined && status >= 200 && status < 300) return 'good';
  return status !== undefined || error !== undefined ? 'bad' : '';
}

function stateOf({ status, error, durationMs = 0 }: Attempt, isCurrent: boolean): string {
  const duration = `after ${Math.round(durationMs)} ms`;
  // Browsers hide the status of a redirect.
  if (status !== undefined) return `${status || 'redirect'} ${duration}`;
  if (error !== undefined) return `no response ${duration} (${error})`;
  return isCurrent ? 'in progress' : 'no response';
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

function Countdown({ ms }: { ms: number }) {
  const [start] = useState(() => performance.now());
  const [elapsed, setElapsed] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setElapsed(performance.now() - start), 100);
    return () => clearInterval(timer);
  }, [start]);
  return <progress aria-hidden="true" max={ms} value={Math.min(ms, elapsed)} />;
}
