import { Message } from './field';
import { countOf, goTo, worstFirst, type PageIssue } from './issues';

const MAX_SHOWN = 200;

/** Lists every issue, the worst first; each leads to its field. */
export function IssueList({ issues }: { issues: PageIssue[] }) {
  if (issues.length === 0) return <p class="aside">No issues: the order can be sent.</p>;
  const sorted = worstFirst(issues);
  return (
    <>
      <p class="aside">{countOf(issues)}. Select an issue to go to its field.</p>
      <ul class="issues">
        {sorted.slice(0, MAX_SHOWN).map((issue) => (
          <li>
            <button type="button" onClick={() => goTo(issue.pointer)}>
              <Message issue={issue} />
              <code>
                {issue.pointer || 'the order'} · {issue.code}
              </code>
            </button>
          </li>
        ))}
      </ul>
      {sorted.length > MAX_SHOWN && <p class="aside">and {sorted.length - MAX_SHOWN} more</p>}
    </>
  );
}
