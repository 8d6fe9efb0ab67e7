import { useEffect, useState } from 'preact/hooks';
import { type Issue, OptionError, OrderValidationError, type PreparedRequest } from 'sales-order-intake/slim';
import { type CreatedOrder, OrderIntakeError } from 'sales-order-intake/slim/client';
import type { SetEdit } from './edit';
import { Field, Icon, Select, useRecord } from './field';
import { optionIssue } from './issues';
import { Created, Failure } from './outcome';
import { type Attempt, Sender, type Target } from './sender';

interface Props {
  /** Returns the request of the order as it is now. Throws OrderValidationError. */
  prepare: () => PreparedRequest;
  canBeSent: boolean;
  target: Target;
  setTarget: (target: Target) => void;
  /** Whether the target is the demo service that served this page: it shows what the point of sale has. */
  hasPosView: boolean;
  /** Reports the issues that the service found; none when another request starts. */
  reject: (issues: Issue[]) => void;
  showIssues: () => void;
}

const FAULTS = [
  ['', 'None'],
  ['503', '503, unavailable'],
  ['500', '500, server error'],
  ['429', '429, rate limit'],
  ['latency=2000', 'Slow (2 s)'],
  ['drop', 'Lost, not stored'],
  ['drop-after', 'Stored, then lost'],
] as const;
const TIMES = [
  ['1', 'Attempt 1'],
  ['2', 'Attempts 1, 2'],
  ['99', 'All attempts'],
] as const;

/** Sends the order to a service and shows what happens. */
export function Send({ prepare, canBeSent, target, setTarget, hasPosView, reject, showIssues }: Props) {
  const injected = useRecord({ fault: '', times: '1' });
  const [attempts, setAttempts] = useState<Attempt[]>([]);
  const [result, setResult] = useState<CreatedOrder | Error | null>(null);
  const [last, setLast] = useState<PreparedRequest | null>(null);
  const [running, setRunning] = useState<AbortController | null>(null);
  const [sender] = useState(() => new Sender(setAttempts));
  const isOffline = useOffline();
  // A request ends with the view that shows it.
  useEffect(() => () => running?.abort(), [running]);

  const send = async (request: PreparedRequest) => {
    const controller = new AbortController();
    setRunning(controller);
    setAttempts([]);
    setResult(null);
    reject([]);
    const { fault, times } = injected.values;
    try {
      setResult(await sender.send(request, target, { fault, times: Number(times) }, controller.signal));
      setLast(request);
    } catch (error) {
      setResult(error as Error);
      if (error instanceof OrderIntakeError) {
        setLast(request);
        reject(error.issues ?? []);
      }
    }
    setRunning(null);
  };
  const sendDraft = () => {
    if (!canBeSent) return showIssues();
    try {
      void send(prepare());
    } catch (error) {
      if (!(error instanceof OrderValidationError)) throw error;
      showIssues();
    }
  };
  const service = {
    values: target,
    at: '',
    edit: ({ at, to }: SetEdit) => setTarget({ ...target, [at.slice(1)]: to }),
    issues: result instanceof OptionError ? [optionIssue(result.option, result.message)] : [],
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!running) sendDraft();
      }}
    >
      <div class="fields">
        <Field {...service} name="baseUrl" label="Base URL" class="full" note="https, or http on this machine" />
        <Field
          {...service}
          name="token"
          label="Token"
          kind="secret"
          class="full"
          note="In memory only. Everybody can read a token in a page: use one of a demo service only."
        />
        <Select
          {...injected}
          name="fault"
          label="Injected fault"
          options={FAULTS}
          note="By the reference service only"
        />
        <Select {...injected} name="times" label="Affects" options={TIMES} />
      </div>
      <div class="bar">
        <button type="submit" class="main" aria-disabled={running !== null || !canBeSent}>
          Send the order
        </button>
        {running && (
          <button type="button" onClick={() => running.abort()}>
            Stop
          </button>
        )}
        {last && !running && (
          <button type="button" onClick={() => void send(last)}>
            Send the same request again
          </button>
        )}
      </div>
      {isOffline && (
        <p class="message warning">
          <Icon name="warning" />{' '}
          <span>
            <b>offline</b> This browser has no network: attempts fail and are repeated.
          </span>
        </p>
      )}
      <Progress attempts={attempts} busy={running !== null} />
      <p class="visually-hidden" role="status">
        {result && summaryOf(result)}
      </p>
      {result instanceof Error ? (
        <Failure error={result} />
      ) : (
        result && <Created created={result} posView={hasPosView ? posViewOf(target.baseUrl, result) : null} />
      )}
    </form>
  );
}

const summaryOf = (result: CreatedOrder | Error) =>
  result instanceof Error
    ? `${result.name}. ${result instanceof OrderIntakeError ? result.outcome : result.message}`
    : `The service responded with ${result.status}.`;

function posViewOf(baseUrl: string, { order }: CreatedOrder): string | null {
  return order ? new URL(`/pos/${order.CompanyId}/${order.EntityId}`, baseUrl).href : null;
}

function useOffline(): boolean {
  const [isOffline, setOffline] = useState(!navigator.onLine);
  useEffect(() => {
    const update = () => setOffline(!navigator.onLine);
    addEventListener('online', update);
    addEventListener('offline', update);
    return () => {
      removeEventListener('online', update);
      removeEventListener('offline', update);
    };
  }, []);
  return isOffline;
}

/** Attempts, retries and waits as they happen. */
function Progress({ attempts, busy }: { attempts: Attempt[]; busy: boolean }) {
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
