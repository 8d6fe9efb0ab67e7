import { useEffect, useId, useState } from 'preact/hooks';
import { newOrderId, type PreviewOptions } from 'sales-order-intake/slim';
import { mappingText, TEMPLATE_NAMES } from '../../../../cli/files/mapping-templates';
import type { Draft } from '../draft';
import { Check, Icon, Message, useRecord } from '../field';
import { countOf } from '../issues';
import './files.css';
import { describe, draftOfJson, type FileOrder, readOrders, type Roles, rolesOf } from './read';

interface Props {
  files: readonly File[];
  /** Those of the page. */
  options: PreviewOptions;
  /** Opens an order in the editor. The notice is about what the editor does not show; it may be empty. */
  open: (draft: Draft, notice: string) => void;
  close: () => void;
}

/** What is known about the files. */
interface State {
  roles?: Roles;
  orders?: FileOrder[];
  count?: number;
  problem?: ReturnType<typeof describe>;
}

const MOST_SHOWN = 200;

/** The orders of files that the user has opened, and their issues. */
export function OpenedFiles({ files, options, open, close }: Props) {
  const [all, setAll] = useState(files);
  const [{ roles, orders, count = 0, problem }, setState] = useState<State>({});
  const view = useRecord({ onlyIssues: false });

  useEffect(() => setAll(files), [files]);
  const read = () => {
    let isCurrent = true;
    const show = (state: State) => isCurrent && setState(state);
    const readAll = async () => {
      let roles: Roles | undefined;
      try {
        roles = await rolesOf(all);
        show({ roles });
        if (roles.isTable && !roles.mapping) return;
        const found = await readOrders(all, roles, options, (count) => show({ ...(roles && { roles }), count }));
        show({ roles, orders: found });
        const first = found.find(({ isSkipped }) => !isSkipped);
        if (first && isCurrent) openOrder(first);
      } catch (error) {
        show({ ...(roles && { roles }), problem: describe(error) });
      }
    };
    void readAll();
    return () => {
      isCurrent = false;
    };
  };
  useEffect(read, [all]);

  const openOrder = ({ json }: FileOrder): boolean => {
    const order = draftOfJson(json);
    if (!order) return false;
    const { draft, unknown } = order;
    const names = unknown.join(', ');
    open(draft, unknown.length > 0 ? `The form has no fields for some members of this order: ${names}.` : '');
    return true;
  };

  const name = roles?.orders.name ?? all.map((file) => file.name).join(', ');
  const faulty = orders?.filter(({ issues }) => issues.length > 0) ?? [];
  const shown = view.values.onlyIssues ? faulty : (orders ?? []);
  return (
    <section class="card files" aria-label="Opened file">
      <header>
        <h2>{name}</h2>
        <p class="aside" role="status">
          {orders ? summaryOf(orders) : problem || needsMapping(roles) ? '' : `Reading: ${count} orders so far`}
        </p>
        <button type="button" onClick={close}>
          Close the file
        </button>
      </header>
      {problem && (
        <p class="error" role="alert">
          <span class="message error">
            <Icon name="error" /> <b>error</b> {problem.message}.
            {problem.hint && <span class="hint"> {problem.hint}</span>}
          </span>
        </p>
      )}
      {roles?.isTable && (
        <Mapping
          key={roles.mapping?.name ?? ''}
          file={roles.mapping}
          isOpen={!orders}
          add={(added) => setAll([...added, ...all.filter(({ name }) => added.every((file) => file.name !== name))])}
        />
      )}
      {orders && faulty.length > 0 && <Check {...view} name="onlyIssues" label="Only orders with issues" />}
      {shown.length > 0 && (
        <ol class="issues orders">
          {shown.slice(0, MOST_SHOWN).map((order) => (
            <li key={`${order.line} ${order.name}`}>
              <FileOrderEntry order={order} open={openOrder} />
            </li>
          ))}
        </ol>
      )}
      {shown.length > MOST_SHOWN && <p class="aside">and {shown.length - MOST_SHOWN} more</p>}
    </section>
  );
}

const needsMapping = (roles: Roles | undefined) => roles?.isTable === true && !roles.mapping;

const plural = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;

function summaryOf(orders: FileOrder[]): string {
  const invalid = orders.filter(({ issues }) => issues.some(({ severity }) => severity === 'error')).length;
  const skipped = orders.filter(({ isSkipped }) => isSkipped).length;
  const parts = [plural(orders.length, 'order'), `${invalid || 'none'} with errors`];
  if (skipped > 0) parts.push(`${skipped} skipped by the mapping`);
  return `${parts.join(', ')}. Select an order to open it.`;
}

/** An order of the list: its name leads to the editor. */
function FileOrderEntry({ order, open }: { order: FileOrder; open: (order: FileOrder) => boolean }) {
  const { name, line, isSkipped, issues } = order;
  const [isBroken, setBroken] = useState(false);
  const about = isSkipped ? 'skipped by the mapping' : countOf(issues) || 'no issues';
  return (
    <>
      <button type="button" onClick={() => setBroken(!open(order))}>
        <b>{name}</b> <span class="aside">{`line ${line} · ${about}`}</span>
      </button>
      {isBroken && (
        <p class="aside" role="status">
          This is not the JSON of an order: correct it in the file.
        </p>
      )}
      {issues.length > 0 && (
        <ul>
          {issues.slice(0, MOST_SHOWN).map((issue) => (
            <li>
              <Message issue={issue} />
              <code>{`${issue.line}:${issue.column} · ${issue.code}`}</code>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface MappingProps {
  file: File | undefined;
  isOpen: boolean;
  /** Takes the mapping, or files that it looks values up in. */
  add: (files: File[]) => void;
}

/** The mapping of a CSV file: a second file, or typed or pasted here. */
function Mapping({ file, isOpen, add }: MappingProps) {
  const id = useId();
  const [text, setText] = useState('');
  useEffect(() => void file?.text().then(setText), [file]);
  return (
    <details class="mapping" open={isOpen}>
      <summary>Mapping of the columns{file ? `: ${file.name}` : ''}</summary>
      <p class="aside">
        A mapping says what the columns of a CSV file mean. Open the mapping, and the files that it looks values up in,
        together with the orders; or begin with one of these.
      </p>
      <div class="bar">
        <div class="field">
          <label for={`${id}template`}>Mapping of</label>
          <select
            id={`${id}template`}
            onChange={({ currentTarget }) =>
              currentTarget.value && setText(mappingText(currentTarget.value, newOrderId()))
            }
          >
            <option value="">Choose</option>
            <option value="plain">a plain table</option>
            {TEMPLATE_NAMES.map((name) => (
              <option value={name}>{name}</option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for={`${id}files`}>Mapping and look-up files</label>
          <input
            id={`${id}files`}
            type="file"
            multiple
            accept=".json,.csv,.tsv"
            onChange={({ currentTarget }) => add([...(currentTarget.files ?? [])])}
          />
        </div>
      </div>
      <div class="field long">
        <label for={`${id}text`}>Mapping, as JSON</label>
        <textarea
          id={`${id}text`}
          rows={12}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </div>
      <button type="button" class="main" onClick={() => add([new File([text], file?.name ?? 'mapping.json')])}>
        Read the file with this mapping
      </button>
    </details>
  );
}
