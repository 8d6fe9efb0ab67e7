import { useEffect, useState } from 'preact/hooks';
import type { Evaluation } from './live-order';
import { Icon } from './field';
import { counted, type Said } from './issues';
import type { Tab } from './tabs';

const STANDINGS = {
  starting: { verdict: 'Starting', looks: '' },
  ready: { verdict: 'Ready to send', looks: 'good' },
  refused: { verdict: 'Refused by the service', looks: 'bad' },
  wrong: { verdict: 'Not to be sent', looks: 'bad' },
};

function standingOf(evaluation: Evaluation | null, issues: Said[]): keyof typeof STANDINGS {
  if (!evaluation) return 'starting';
  if (!evaluation.canBeSent) return 'wrong';
  return issues.some(({ byService, severity }) => byService && severity === 'error') ? 'refused' : 'ready';
}

/** The verdict in a line, always in sight; read out when one stops typing. */
export function Summary({
  evaluation,
  issues,
  show,
}: {
  evaluation: Evaluation | null;
  issues: Said[];
  show: (tab: Tab) => void;
}) {
  const { verdict, looks } = STANDINGS[standingOf(evaluation, issues)];
  const total = evaluation?.preview.total ?? null;
  const count = counted(issues);
  const [spoken, setSpoken] = useState('');
  const text = `${verdict}. ${count && `${count}. `}Total ${total ?? 'unknown'}.`;
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(text), 1000);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class={`summary ${looks}`}>
      <button type="button" onClick={() => show('Issues')} class="verdict">
        <Icon name={looks === 'bad' ? 'error' : 'done'} />
        <span>
          <b>{verdict}</b>
          <small>{count || 'nothing to say'}</small>
        </span>
      </button>
      <button type="button" onClick={() => show('Receipt')} class="sum">
        <small>Total</small> <b>{total ?? 'unknown'}</b>
      </button>
      <p class="unseen" role="status">
        {spoken}
      </p>
    </div>
  );
}
