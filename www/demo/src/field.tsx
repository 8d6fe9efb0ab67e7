import type { ComponentChild, ComponentChildren, TargetedInputEvent } from 'preact';
import type { SetEdit } from './edit';
import { issuesAt, SEVERITY_NAMES, worstFirst, type PageIssue } from './issues';

const ICONS = {
  error:
    'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1ZM5.3 4.2 8 6.9l2.7-2.7 1.1 1.1L9.1 8l2.7 2.7-1.1 1.1L8 9.1l-2.7 2.7-1.1-1.1L6.9 8 4.2 5.3Z',
  warning: 'M8 1 .5 14.5h15ZM7.2 6h1.6v4.2H7.2Zm0 5.4h1.6V13H7.2Z',
  notice: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1ZM7.2 4h1.6v1.6H7.2Zm0 3h1.6v5H7.2Z',
  done: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm3.6 4.1L7.1 11.6 4.2 8.8l1.1-1.1 1.6 1.6 3.4-5Z',
  logo: 'M3 .5h10v15l-2-1.6-1.5 1.6L8 13.9l-1.5 1.6L5 13.9 3 15.5ZM5 4v1h6V4Zm0 2.5v1h6v-1ZM5 9v1h4V9Z',
  up: 'M8 3 3 9h3.7v4h2.6V9H13Z',
  down: 'M8 13 3 7h3.7V3h2.6v4H13Z',
  remove: 'M4 2.9 8 6.8l4-3.9L13.1 4 9.2 8l3.9 4-1.1 1.1L8 9.2l-4 3.9L2.9 12 6.8 8 2.9 4Z',
};

export function Icon({ name }: { name: keyof typeof ICONS }) {
  return (
    <svg class={`icon ${name}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={ICONS[name]} fill-rule="evenodd" />
    </svg>
  );
}

/** Icon, severity and message: colour is never the only sign. A hint follows. */
export function Message({ issue }: { issue: PageIssue }) {
  const { severity, message, hint, isFromService } = issue;
  return (
    <span class={`message ${severity}`}>
      <Icon name={severity} />
      <b>{SEVERITY_NAMES[severity][0]}</b> {isFromService && 'from the service: '}
      {message}
      {hint && <span class="hint"> {hint}</span>}
    </span>
  );
}

/** The id of the element with the messages of a field, which describes the field (aria-describedby). */
const messagesId = (at: string) => `${at}!`;

interface Shared {
  label: string;
  /** The JSON Pointer of the value; also the id of the control. */
  at: string;
  edit: (edit: SetEdit) => void;
  issues: PageIssue[];
  class?: string;
  /** The messages are below the row. */
  inRow?: boolean;
  /** Shown while there are no messages. */
  note?: ComponentChildren;
}
type Options = readonly (readonly [value: string, label: string])[];

interface FieldProps extends Shared {
  value: string;
  kind?: 'plain' | 'decimal' | 'digits' | 'code' | 'long' | 'secret';
  list?: string;
  readOnly?: boolean;
}

const INPUT_MODES: { [kind in NonNullable<FieldProps['kind']>]?: 'decimal' | 'numeric' } = {
  decimal: 'decimal',
  digits: 'numeric',
};

export function Field({ kind = 'plain', value, list, readOnly, ...shared }: FieldProps) {
  const { at, edit } = shared;
  const text = {
    value,
    readOnly,
    autocomplete: 'off',
    spellcheck: false,
    onInput: (event: TargetedInputEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      edit({ kind: 'set', at, to: event.currentTarget.value }),
  } as const;
  return (
    <Labelled {...shared} kind={kind}>
      {(control) =>
        kind === 'long' ? (
          <textarea {...control} {...text} rows={2} />
        ) : (
          <input {...control} {...text} type="text" list={list} inputMode={INPUT_MODES[kind]} />
        )
      }
    </Labelled>
  );
}

interface SelectProps extends Shared {
  value: string;
  options: Options;
}

export function Select({ value, options, ...shared }: SelectProps) {
  const { at, edit } = shared;
  const isListed = options.some(([option]) => option === value);
  return (
    <Labelled {...shared}>
      {(control) => (
        <select
          {...control}
          value={value}
          onChange={(event) => edit({ kind: 'set', at, to: event.currentTarget.value })}
        >
          {(isListed ? options : [...options, [value, value] as const]).map(([option, text]) => (
            <option value={option}>{text}</option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

/** The attributes that connect a control with its label and its messages. */
interface ControlAttributes {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

interface LabelledProps extends Omit<Shared, 'edit'> {
  kind?: string;
  children: (control: ControlAttributes) => ComponentChild;
}

/** Label, control and messages. The room for messages is reserved, so that nothing moves while typing. */
function Labelled({ label, at, issues, inRow, note, class: name = '', kind = '', children }: LabelledProps) {
  const own = issuesAt(issues, at);
  return (
    <div class={`field ${kind} ${name} ${own[0]?.severity ?? ''}`}>
      <label for={at}>{label}</label>
      {children({
        id: at,
        'aria-invalid': own.some(({ severity }) => severity === 'error') || undefined,
        'aria-describedby': own.length > 0 || note ? messagesId(at) : undefined,
      })}
      {!inRow && (
        <p class="messages" id={messagesId(at)}>
          <span>{own.length > 0 ? own.map((issue) => <Message issue={issue} />) : note}</span>
        </p>
      )}
    </div>
  );
}

/** The messages of a row or a list; those of one field together, because they describe it. */
export function RowMessages({ issues, at }: { issues: PageIssue[]; at: string }) {
  const byPointer = new Map<string, PageIssue[]>();
  for (const issue of worstFirst(issues))
    byPointer.set(issue.pointer, [...(byPointer.get(issue.pointer) ?? []), issue]);
  return (
    <p class="messages" id={messagesId(at)}>
      <span>
        {[...byPointer].map(([pointer, own]) => (
          <span key={pointer} id={pointer === at || pointer === '' ? undefined : messagesId(pointer)}>
            {own.map((issue) => (
              <Message issue={issue} />
            ))}
          </span>
        ))}
      </span>
    </p>
  );
}

interface ChoiceProps {
  legend: string;
  name: string;
  value: string;
  options: Options;
  choose: (value: string) => void;
  wide?: boolean;
}

/** Two or three options, all of them visible. */
export function Choice({ legend, name, value, options, choose, wide }: ChoiceProps) {
  return (
    <fieldset class={wide ? 'choice wide' : 'choice'}>
      <legend>{legend}</legend>
      {options.map(([option, text]) => (
        <label>
          <input type="radio" name={name} value={option} checked={value === option} onChange={() => choose(option)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface CheckProps {
  label: ComponentChildren;
  checked: boolean;
  set: (checked: boolean) => void;
  at?: string;
}

export function Check({ label, checked, set, at }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" id={at} checked={checked} onChange={(event) => set(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}
