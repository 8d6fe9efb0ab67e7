import { useEffect, useMemo, useState } from 'preact/hooks';
import { init, isReady, type Issue } from 'sales-order-intake/slim';
import coreUrl from 'sales-order-intake/core.wasm?url';
import { Customer, Destination } from './destination';
import { locationOf, readDirectory, type Directory } from './directory';
import { newItem, type Draft, type ItemRow } from './draft';
import { valueAt, type Dispatch } from './edit';
import { useEvaluation, type DraftEvaluator } from './evaluation';
import { FailureCard } from './failure-card';
import { Check, type Edited, Field, useRecord } from './field';
import { IssueList } from './issue-list';
import type { PageIssue } from './issues';
import { useDeferredValue } from './memo';
import { OrderId } from './order-id';
import { Receipt } from './receipt';
import { Request } from './request';
import { Rows } from './rows';
import { Section } from './section';
import { Send } from './send';
import type { Target } from './sender';
import { Summary } from './summary';
import { Tabs, type Tab } from './tabs';
import { Discounts, Taxes } from './taxes';
import { Top } from './top';

interface Props {
  draft: Draft;
  edit: Dispatch;
  load: (draft: Draft) => void;
  /** A notice for the user about the restored draft or the order of a link; may be empty. */
  notice: string;
  setAside: Draft | null;
  target: Target;
  setTarget: (change: (known: Target) => Target) => void;
}

/** The editor, and the panels with the result. */
export function Workspace({ draft, edit, load, notice, setAside, target, setTarget }: Props) {
  const { isRunning, failure, start } = useCore();
  const directory = useDirectory();
  const [tab, setTab] = useState<Tab>('Receipt');
  const calculation = useRecord({ explain: false });
  const [rejections, setRejections] = useState<{ issue: PageIssue; value: unknown }[]>([]);

  useEffect(() => {
    if (directory) setTarget((known) => ({ ...known, baseUrl: known.baseUrl || location.origin + directory.basePath }));
  }, [directory, setTarget]);

  // A change is rendered, evaluated, and then its verdict and its lines are rendered: each in a task of its own, so that
  // typing stays smooth in an order of any length.
  const current = useEvaluation(draft, calculation.values.explain, isRunning);
  const evaluated = useDeferredValue(current.evaluated);
  const withLines = useDeferredValue(evaluated);
  const preview = useDeferredValue(useMemo(() => withLines?.evaluation.preview() ?? null, [withLines]));

  const evaluation = evaluated?.evaluation ?? null;
  const issues = useMemo((): PageIssue[] => {
    // An issue from the service counts until its field is changed.
    const rejected = rejections.filter(({ issue, value }) => valueAt(draft, issue.pointer) === value);
    const found = evaluated ? [...evaluated.evaluation.issues, ...evaluated.optionIssues] : [];
    return [...rejected.map(({ issue }) => issue), ...found];
  }, [rejections, draft, evaluated]);
  // Not every render concerns the lines, and there may be hundreds.
  const items = useMemo(
    () => (
      <Rows
        what="line"
        class="items"
        at="/Items"
        rows={draft.Items}
        amounts={preview?.lines.map(({ extended }) => extended) ?? []}
        blank={newItem}
        edit={edit}
        issues={issues}
        fields={itemFields}
        more={itemDetails}
        movable
      />
    ),
    [draft.Items, preview, issues],
  );

  const loadAnother = (loaded: Draft) => {
    setRejections([]);
    load(loaded);
  };
  const reject = (list: Issue[]) =>
    setRejections(
      list.map((issue) => ({ issue: { ...issue, isFromService: true }, value: valueAt(draft, issue.pointer) })),
    );
  const show = (next: Tab) => {
    setTab(next);
    // In one column the panels are below the editor.
    if (matchMedia('(max-width: 68rem)').matches) document.getElementById('panels')?.scrollIntoView();
  };
  const known = locationOf(directory, draft);
  const order = { values: draft, at: '', edit, issues };
  const destination = known
    ? `${known.company}, ${known.name}`
    : `Location ${draft.EntityId || '?'} of company ${draft.CompanyId || '?'}`;
  const receipt = useMemo(
    () => tab === 'Receipt' && preview && <Receipt preview={preview} destination={destination} orderId={draft.Id} />,
    [tab, preview, destination, draft.Id],
  );

  return (
    <>
      <Top load={loadAnother} setAside={setAside} />
      <main>
        <div class="editor">
          {notice && (
            <p class="card" role="status">
              {notice}
            </p>
          )}
          <Section title="Order" at="/" issues={issues}>
            <Destination {...order} directory={directory} />
            <OrderId {...order} isRunning={isRunning} />
          </Section>
          <Section title="Lines" at="/Items" issues={issues}>
            {items}
          </Section>
          <Section title="Invoice discount" at="/Discount" issues={issues}>
            <Discounts {...order} entries={evaluation?.totals.discount.entries ?? []} />
          </Section>
          <Section title="Taxes" at="/Taxes" issues={issues}>
            <Taxes {...order} directory={directory} />
          </Section>
          <Section title="Customer and delivery" at="/Customer" issues={issues}>
            <Customer {...order} />
          </Section>
        </div>
        <aside id="panels" aria-label="Result">
          <Summary evaluation={evaluation} issues={issues} show={show} />
          {failure ? (
            <FailureCard
              title="The core could not start"
              message={failure.message}
              note="Without the core, nothing is checked or calculated. The form still takes what you type."
              retry={start}
            />
          ) : (
            <Tabs tab={tab} show={setTab} count={issues.length}>
              {{
                Receipt: () => (
                  <>
                    <Check {...calculation} name="explain" label="Show how each amount is calculated" />
                    {receipt}
                  </>
                ),
                Issues: () => <IssueList issues={issues} />,
                Request: () => evaluation && <Request evaluation={evaluation} baseUrl={target.baseUrl} />,
              }}
              <Send
                prepare={() => (current.evaluator as DraftEvaluator).evaluate(draft).request()}
                canBeSent={evaluation?.ok ?? false}
                target={target}
                setTarget={(changed) => setTarget(() => changed)}
                hasPosView={directory !== null && target.baseUrl.startsWith(location.origin)}
                reject={reject}
                showIssues={() => show('Issues')}
              />
            </Tabs>
          )}
        </aside>
      </main>
    </>
  );
}

/** The fields of a line item that its amount depends on, and its name. */
const itemFields = (item: Edited<ItemRow>) => (
  <>
    <Field {...item} name="Name" class="wide" />
    <Field {...item} name="Quantity" kind="decimal" />
    <Field {...item} name="SellAtPricePerUnit" label="Unit price" kind="decimal" />
  </>
);

const itemDetails = (item: Edited<ItemRow>) => (
  <>
    <Field {...item} name="CatalogItemId" label="Catalog item" kind="code" class="wide" />
    <Field {...item} name="PackageId" label="Package" kind="code" />
    <Field {...item} name="Batch" kind="code" />
  </>
);

/** Starts the core: a file beside the script, so that both load at the same time and the form works before. */
function useCore() {
  const [isRunning, setRunning] = useState(isReady);
  const [failure, setFailure] = useState<Error | null>(null);
  const start = () => {
    setFailure(null);
    init(new URL(coreUrl, import.meta.url)).then(() => setRunning(true), setFailure);
  };
  useEffect(start, []);
  return { isRunning, failure, start };
}

function useDirectory(): Directory | null {
  const [directory, setDirectory] = useState<Directory | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    void readDirectory(controller.signal).then(setDirectory);
    return () => controller.abort();
  }, []);
  return directory;
}
