import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { Issue } from 'sales-order-intake/slim';
import { newOrderId, startCore } from './core';
import { Customer } from './customer';
import { locationOf, readDirectory, type Directory } from './directory';
import { Discounts } from './discounts';
import { emptyDraft, type Draft } from './draft';
import { edited, valueAt } from './edit';
import { EXAMPLES } from './examples';
import { Check } from './field';
import { IssueList } from './issue-list';
import { byItem, type Said } from './issues';
import { Items } from './items';
import { useLater } from './later';
import { LiveOrder } from './live-order';
import { OrderId } from './order-id';
import { Place } from './place';
import { Receipt } from './receipt';
import { Refused } from './refused';
import { Request } from './request';
import { Section } from './section';
import { Send } from './send';
import { keep, kept } from './storage';
import { Summary } from './summary';
import { Tabs, type Tab } from './tabs';
import { Taxes } from './taxes';
import { Top } from './top';

/** An example, without its id: each order that is made of it is a new one. */
const loaded = (index: number): Draft => ({ ...(EXAMPLES[index]?.load() ?? emptyDraft()), Id: '' });

interface Props {
  /** Takes it out of the fragment of the address, which no longer shows it then; empty where there is none. */
  takeToken: () => string;
}

export function App({ takeToken }: Props) {
  const [draft, edit] = useReducer(edited, undefined, () => kept() ?? loaded(0));
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);
  const [directory, setDirectory] = useState<Directory | null>(null);
  const [target, setTarget] = useState(() => ({ baseUrl: '', token: takeToken() }));
  const [tab, setTab] = useState<Tab>('Receipt');
  const [explain, setExplain] = useState(false);
  const [refused, setRefused] = useState<{ issue: Said; value: unknown }[]>([]);

  const start = () => {
    setFailure(null);
    startCore().then(() => setRunning(true), setFailure);
  };
  useEffect(start, []);
  useEffect(() => {
    if (running && draft.Id === '' && draft.idFrom === 'new') edit({ kind: 'set', at: '/Id', to: newOrderId() });
  }, [running]);
  useEffect(() => {
    void readDirectory().then((found) => {
      setDirectory(found);
      if (found) setTarget((had) => ({ ...had, baseUrl: had.baseUrl || location.origin + found.basePath }));
    });
  }, []);
  useEffect(() => {
    // The address of a service that was started again, opened in the same tab, loads nothing anew.
    addEventListener('hashchange', () => {
      const token = takeToken();
      if (token) setTarget((had) => ({ ...had, token }));
    });
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => keep(draft), 300);
    return () => clearTimeout(timer);
  }, [draft]);

  // A change is drawn, judged, and its verdict and its receipt are drawn: each in a task of its own, so that typing stays
  // smooth in an order of any length.
  const live = useRef(new LiveOrder()).current;
  const judged = useMemo(() => ({ draft, explain }), [draft, explain]);
  const settled = useLater(judged);
  const evaluation = useLater(
    useMemo(() => (running ? live.evaluate(settled.draft, settled.explain) : null), [settled, running]),
  );
  const receiptOf = useLater(evaluation?.preview);
  // What the service said of a field holds until the field is changed.
  const said = refused.filter(({ issue, value }) => valueAt(draft, issue.pointer) === value).map(({ issue }) => issue);
  const issues: Said[] = [...said, ...(evaluation?.issues ?? [])];
  const grouped = useRef(new Map<number, Said[]>());
  grouped.current = byItem(issues, grouped.current);

  const load = (index: number) => {
    setRefused([]);
    edit({ kind: 'load', draft: { ...loaded(index), ...(running && { Id: newOrderId() }) } });
  };
  const show = (next: Tab) => {
    setTab(next);
    // Below the editor where there is one column; beside it they are in sight.
    if (matchMedia('(max-width: 68rem)').matches) document.getElementById('panels')?.scrollIntoView();
  };
  const known = locationOf(directory, draft);
  const section = { draft, edit, issues };
  const preview = evaluation?.preview;
  const place = known
    ? `${known.company}, ${known.name}`
    : `Location ${draft.EntityId || '?'} of company ${draft.CompanyId || '?'}`;
  const receipt = useMemo(
    () => tab === 'Receipt' && receiptOf && <Receipt preview={receiptOf} place={place} orderId={draft.Id} />,
    [tab, receiptOf, place, draft.Id],
  );

  return (
    <>
      <Top load={load} />
      <main>
        <div class="editor">
          <Section title="Order" at="/" issues={issues}>
            <Place {...section} directory={directory} />
            <OrderId {...section} running={running} />
          </Section>
          <Section title="Lines" at="/Items" issues={issues}>
            <Items items={draft.Items} amounts={evaluation?.amounts ?? []} issues={grouped.current} edit={edit} />
          </Section>
          <Section title="Invoice discount" at="/Discount" issues={issues}>
            <Discounts {...section} amounts={(preview?.discount.entries ?? []).map(({ amount }) => amount)} />
          </Section>
          <Section title="Taxes" at="/Taxes" issues={issues}>
            <Taxes {...section} directory={directory} />
          </Section>
          <Section title="Customer and delivery" at="/Customer" issues={issues}>
            <Customer {...section} />
          </Section>
        </div>
        <aside id="panels" aria-label="What comes of it">
          <Summary evaluation={evaluation} issues={issues} show={show} />
          {failure ? (
            <Refused failure={failure} retry={start} />
          ) : (
            <Tabs tab={tab} show={setTab} count={issues.length}>
              {{
                Receipt: () => (
                  <>
                    <Check label="Why this number?" checked={explain} set={setExplain} />
                    {receipt}
                  </>
                ),
                Issues: () => <IssueList issues={issues} />,
                Request: () => running && <Request draft={draft} baseUrl={target.baseUrl} />,
              }}
              <Send
                draft={draft}
                canBeSent={evaluation?.canBeSent ?? false}
                target={target}
                setTarget={setTarget}
                hasTill={directory !== null && target.baseUrl.startsWith(location.origin)}
                refused={(list: Issue[]) =>
                  setRefused(
                    list.map((issue) => ({
                      issue: { ...issue, byService: true },
                      value: valueAt(draft, issue.pointer),
                    })),
                  )
                }
                showIssues={() => show('Issues')}
              />
            </Tabs>
          )}
        </aside>
      </main>
    </>
  );
}
