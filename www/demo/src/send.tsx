import { useEffect, useRef, useState } from 'preact/hooks';
import { isOrderValidationError, type Issue, type PreparedRequest } from 'sales-order-intake/slim';
import { isOrderIntakeError, type CreatedOrder } from 'sales-order-intake/slim/client';
import type { Draft } from './draft';
import type { SetEdit } from './edit';
import { prepare } from './core';
import { Field, Icon, Select } from './field';
import type { Said } from './issues';
import { Created, Failure } from './outcome';
import { Progress } from './progress';
import { Sender, type Attempt, type Target } from './sender';

interface Props {
  draft: Draft;
  canBeSent: boolean;
  target: Target;
  setTarget: (target: Target) => void;
  /** Whether the target is the demo service that served this page: it has a till view. */
  hasTill: boolean;
  refused: (issues: Issue[]) => void;
  showIssues: () => void;
}

const FAULTS = [
  ['', 'None'],
  ['503', '503, not available'],
  ['500', '500, the service fails'],
  ['429', '429, too many requests'],
  ['latency=2000', 'An answer after 2 s'],
  ['drop', 'Connection lost, nothing stored'],
  ['drop-after', 'Stored, but never answered'],
] as const;
const TIMES = [
  ['1', 'first attempt'],
  ['2', 'first 2 attempts'],
  ['99', 'every attempt'],
] as const;

/** Sends the order to a service, and shows what happens. */
export function Send({ draft, canBeSent, target, setTarget, hasTill, refused, showIssues }: Props) {
  const [faults, setFaults] = useState({ fault: '', times: '1' });
  const [attempts, setAttempts] = useState<Attempt[]>([]);
  const [result, setResult] = useState<CreatedOrder | Error | null>(null);
  const [last, setLast] = useState<PreparedRequest | null>(null);
  const [running, setRunning] = useState<AbortController | null>(null);
  const sender = useRef(new Sender()).current;
  const isOffline = useOffline();

  const send = async (request: PreparedRequest) => {
    const controller = new AbortController();
    setRunning(controller);
    setAttempts([]);
    setResult(null);
    refused([]);
    try {
      setResult(
        await sender.send(
          request,
          target,
          { fault: faults.fault, times: Number(faults.times) },
          controller.signal,
          setAttempts,
        ),
      );
      setLast(request);
    } catch (error) {
      setResult(error as Error);
      if (isOrderIntakeError(error)) {
        setLast(request);
        refused(error.issues ?? []);
      }
    }
    setRunning(null);
  };
  const sendDraft = () => {
    try {
      void send(prepare(draft));
    } catch (error) {
      if (!isOrderValidationError(error)) throw error;
      showIssues();
    }
  };
  const shared = {
    issues: wrongOption(result),
    edit: ({ at, to }: SetEdit) => setTarget({ ...target, [at.slice(1)]: to }),
  };
  const sharedFaults = { issues: [], edit: ({ at, to }: SetEdit) => setFaults({ ...faults, [at.slice(1)]: to }) };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!running) sendDraft();
      }}
    >
      <div class="fields">
        <Field
          {...shared}
          label="Base URL"
          at="/baseUrl"
          value={target.baseUrl}
          class="full"
          note="https, or http on this machine"
        />
        <Field
          {...shared}
          label="Token"
          at="/token"
          value={target.token}
          kind="secret"
          class="full"
          note="In memory only. A token in a page can be read by everybody: only for a demo (D44)."
        />
        <Select
          {...sharedFaults}
          label="Fault on demand"
          at="/fault"
          value={faults.fault}
          options={FAULTS}
          note="Asked of the reference service"
        />
        <Select {...sharedFaults} label="In the" at="/times" value={faults.times} options={TIMES} />
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
            Send the same again
          </button>
        )}
      </div>
      {isOffline && (
        <p class="message warning">
          <Icon name="warning" />{' '}
          <span>
            <b>offline</b> This browser has no network: attempts fail and are tried again.
          </span>
        </p>
      )}
      <Progress attempts={attempts} busy={running !== null} />
      <p class="unseen" role="status">
        {result && inShort(result)}
      </p>
      {result instanceof Error ? (
        <Failure error={result} />
      ) : (
        result && <Created created={result} till={hasTill ? tillOf(target.baseUrl, result) : null} />
      )}
    </form>
  );
}

const inShort = (result: CreatedOrder | Error) =>
  result instanceof Error
    ? `${result.name}. ${isOrderIntakeError(result) ? result.outcome : result.message}`
    : `The service answered ${result.status}.`;

/** Returns an issue at the field of the client's option that is wrong. */
function wrongOption(result: unknown): Said[] {
  if (!(result instanceof TypeError) || !('option' in result)) return [];
  const pointer = String(result.option);
  return [{ code: 'option', severity: 'error', message: result.message, pointer, path: pointer.slice(1).split('/') }];
}

function tillOf(baseUrl: string, { order }: CreatedOrder): string | null {
  return order ? new URL(`/pos/${order.CompanyId}/${order.EntityId}`, baseUrl).href : null;
}

function useOffline(): boolean {
  const [isOffline, setOffline] = useState(!navigator.onLine);
  useEffect(() => {
    const look = () => setOffline(!navigator.onLine);
    addEventListener('online', look);
    addEventListener('offline', look);
  }, []);
  return isOffline;
}
