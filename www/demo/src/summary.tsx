import { useEffect, useState } from 'preact/hooks';
import type { Evaluation } from 'sales-order-intake/slim';
import { Icon } from './field';
import { countOf, type PageIssue } from './issues';
import type { Tab } from './tabs';

const VERDICTS = {
  starting: { verdict: 'Starting', style: '' },
  ready: { verdict: 'Ready to send', style: 'good' },
  rejected: { verdict: 'Rejected by the service', style: 'bad' },
  invalid: { verdict: 'Cannot be sent', style: 'bad' },
};

function verdictOf(evaluation: Evaluation | null, issues: PageIssue[]): keyof typeof VERDICTS {
  if (!evaluation) return 'starting';
  if (!evaluation.ok) return 'invalid';
  return issues.some(({ isFromService, severity }) => isFromService && severity === 'error') ? 'rejected' : 'ready';
}

interface Props {
  evaluation: Evaluation | null;
  issues: PageIssue[];
  show: (tab: Tab) => void;
}

/** The verdict and the total in one line, always visible; screen readers get it when typing pauses. */
export function Summary({ evaluation, issues, show }: Props) {
  const { verdict, style } = VERDICTS[verdictOf(evaluation, issues)];
  const total = evaluation?.totals.total ?? null;
  const count = countOf(issues);
  const [spoken, setSpoken] = useState('');
  const text = `${verdict}. ${count && `${count}. `}Total ${total ?? 'unknown'}.`;
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(text), 1000);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class={`card summary ${style}`}>
      <button type="button" onClick={() => show('Issues')} class="verdict">
        <Icon name={style === 'bad' ? 'error' : 'done'} />
        <span>
          <b>{verdict}</b>
          <small>{count || 'no issues'}</small>
        </span>
      </button>
      <button type="button" onClick={() => show('Receipt')} class="sum">
        <small>Total</small> <b>{total ?? 'unknown'}</b>
      </button>
      <p class="visually-hidden" role="status">
        {spoken}
      </p>
    </div>
  );
}
