import { Message } from './field';
import { counted, goTo, worstFirst, type Said } from './issues';

/** Every issue, the worst first; each leads to its field. */
export function IssueList({ issues }: { issues: Said[] }) {
  if (issues.length === 0) return <p class="aside">Nothing to say: the order can be sent as it is.</p>;
  const sorted = worstFirst(issues);
  return (
    <>
      <p class="aside">{counted(issues)}. Each leads to its field.</p>
      <ul class="issues">
        {sorted.slice(0, MOST).map((issue) => (
          <li>
            <button type="button" onClick={() => goTo(issue.pointer)}>
              <Message issue={issue} />
              {issue.hint && <span class="hint">{issue.hint}</span>}
              <code>
                {issue.pointer || 'the order'} · {issue.code}
              </code>
            </button>
          </li>
        ))}
      </ul>
      {sorted.length > MOST && <p class="aside">and {sorted.length - MOST} more</p>}
    </>
  );
}

const MOST = 200;
