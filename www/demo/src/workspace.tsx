import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { init, isReady, type Issue, newOrderId } from 'sales-order-intake/slim';
import coreUrl from 'sales-order-intake/core.wasm?url';
import { Actions, type Steps } from './actions';
import { Customer, Destination } from './destination';
import { locationOf, readDirectory, type Directory } from './directory';
import { newItem, nextDraft, optionMembersOf, optionsOf, type Draft, type ItemRow } from './draft';
import { valueAt, type Dispatch } from './edit';
import { useEvaluation, type DraftEvaluator } from './evaluation';
import { FailureCard } from './failure-card';
import { Check, type DecimalSign, type Edited, Field, Notation, useRecord } from './field';
import type { OpenedFiles } from './file/opened-files';
import { IssueList } from './issue-list';
import type { PageIssue } from './issues';
import { useDeferredValue } from './memo';
import { OrderId } from './order-id';
import { Receipt } from './receipt';
import type { Request } from './request';
import { Rows } from './rows';
import { Section } from './section';
import { Send } from './send';
import type { Target } from './sender';
import { store, stored } from './storage';
import { Summary } from './summary';
import { Tabs, type Tab } from './tabs';
import { Discounts, Taxes } from './taxes';
import { Top } from './top';

interface Props {
  draft: Draft;
  edit: Dispatch;
  load: (draft: Draft, notice?: string) => void;
  report: (notice: string) => void;
  steps: Steps;
  /** A notice for the user about the restored draft or the order of a link; may be empty. */
  notice: string;
  setAside: Draft | null;
  target: Target;
  setTarget: (change: (known: Target) => Target) => void;
}

/** The editor, and the panels with the result. */
export function Workspace({ draft, edit, load, report, steps, notice, setAside, target, setTarget }: Props) {
  const { isRunning, failure, start } = useCore();
  const directory = useDirectory();
  const [tab, setTab] = useState<Tab>('Receipt');
  const calculation = useRecord({ explain: false });
  const [opened, setOpened] = useState<{ files: File[]; OpenedFiles: typeof OpenedFiles } | null>(null);
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

  const [decimal, setDecimal] = useDecimalSign();
  const inNotation = (issue: PageIssue): PageIssue =>
    issue.code === 'not_a_decimal' && decimal === ',' ? { ...issue, hint: COMMA_HINT } : issue;
  const evaluation = evaluated?.evaluation ?? null;
  const issues = useMemo((): PageIssue[] => {
    // An issue from the service counts until its field is changed.
    const rejected = rejections.filter(({ issue, value }) => valueAt(draft, issue.pointer) === value);
    const found = evaluated ? [...evaluated.evaluation.issues.map(inNotation), ...evaluated.optionIssues] : [];
    return [...rejected.map(({ issue }) => issue), ...found];
  }, [rejections, draft, evaluated, decimal]);
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

  const loadAnother = (loaded: Draft, notice?: string) => {
    setRejections([]);
    load(loaded, notice);
  };
  const latest = useRef(draft);
  latest.current = draft;
  const notLoaded = () => report('A part of this page could not be loaded. Try again.');
  const [panels, setPanels] = useState<{ Request?: typeof Request }>({});
  useEffect(() => {
    if (tab === 'Request') import('./request').then(setPanels, notLoaded);
  }, [tab]);
  const openFiles = (chosen: File[]) => {
    import('./file/opened-files').then(({ OpenedFiles }) => setOpened({ files: chosen, OpenedFiles }), notLoaded);
  };
  const save = () => {
    const evaluation = current.evaluator?.evaluate(draft);
    import('./file/save').then(({ saveOrder }) => saveOrder(draft, evaluation), notLoaded);
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
    <Notation.Provider value={decimal}>
      <Top load={loadAnother} setAside={setAside}>
        <Actions
          startNew={() => loadAnother(nextDraft(draft, newOrderId()))}
          open={openFiles}
          save={save}
          steps={steps}
          decimal={decimal}
          setDecimal={setDecimal}
        />
      </Top>
      <main>
        <div class="editor">
          {opened && (
            <opened.OpenedFiles
              files={opened.files}
              options={optionsOf(draft)}
              open={(loaded, notice) => loadAnother({ ...loaded, ...optionMembersOf(latest.current) }, notice)}
              close={() => setOpened(null)}
            />
          )}
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
                Request: () =>
                  evaluation && panels.Request && <panels.Request evaluation={evaluation} baseUrl={target.baseUrl} />,
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
    </Notation.Provider>
  );
}

const COMMA_HINT = 'use digits and a decimal comma, such as 12,50';

/** The decimal sign that the user has chosen, or else that of the browser's language. */
function useDecimalSign() {
  const [decimal, setDecimal] = useState<DecimalSign>(() => {
    const sign = stored('decimal') ?? new Intl.NumberFormat(navigator.language).format(1.5)[1];
    return sign === ',' ? ',' : '.';
  });
  const choose = (sign: DecimalSign) => {
    store('decimal', sign);
    setDecimal(sign);
  };
  return [decimal, choose] as const;
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
