import type { Evaluation } from 'sales-order-intake/slim';
import { Icon, useNotation } from './field';
import { countOf, type PageIssue } from './issues';
import { useDeferredValue } from './memo';
import type { Tab } from './tabs';

type Verdict = [verdict: string, style: 'good' | 'bad' | ''];

function verdictOf(evaluation: Evaluation | null, issues: PageIssue[]): Verdict {
  if (!evaluation) return ['Starting', ''];
  if (!evaluation.ok) return ['Cannot be sent', 'bad'];
  const isRejected = issues.some(({ isFromService, severity }) => isFromService && severity === 'error');
  return isRejected ? ['Rejected by the service', 'bad'] : ['Ready to send', 'good'];
}

interface Props {
  evaluation: Evaluation | null;
  issues: PageIssue[];
  show: (tab: Tab) => void;
}

/** The verdict and the total in one line, always visible; screen readers get it when typing pauses. */
export function Summary({ evaluation, issues, show }: Props) {
  const [verdict, style] = verdictOf(evaluation, issues);
  const total = useNotation()(evaluation?.totals.total ?? 'unknown');
  const count = countOf(issues);
  const spoken = useDeferredValue(`${verdict}. ${count && `${count}. `}Total ${total}.`, 1000);
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
        <small>Total</small> <b>{total}</b>
      </button>
      <p class="visually-hidden" role="status">
        {spoken}
      </p>
    </div>
  );
}
