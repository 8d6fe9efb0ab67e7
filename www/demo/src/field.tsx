import { type ComponentChild, type ComponentChildren, createContext, type TargetedInputEvent } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { choicesOf } from './draft';
import type { SetEdit } from './edit';
import { issuesAt, worstFirst, type PageIssue } from './issues';

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
export function Message({ issue }: { issue: Pick<PageIssue, 'severity' | 'message' | 'hint' | 'isFromService'> }) {
  const { severity, message, hint, isFromService } = issue;
  return (
    <span class={`message ${severity}`}>
      <Icon name={severity} />
      <b>{severity}</b> {isFromService && 'from the service: '}
      {message}
      {hint && <span class="hint"> {hint}</span>}
    </span>
  );
}

/** The id of the element with the messages of a field, which describes the field (aria-describedby). */
const messagesId = (at: string) => `${at}!`;

/** A record whose members are edited by fields. */
export interface Edited<R> {
  values: R;
  /** The JSON Pointer of the record; empty for the order. */
  at: string;
  edit: (edit: SetEdit) => void;
  issues: PageIssue[];
  /** The messages of the fields are below the row. */
  inRow?: boolean;
}

/** Returns a record of the page's own, which is edited like the order. */
export function useRecord<R extends object>(initial: R): Edited<R> {
  const [values, set] = useState(initial);
  return { values, at: '', edit: ({ at, to }) => set({ ...values, [at.slice(1)]: to }), issues: [] };
}

/** The decimal sign of the fields and the amounts; the draft always has a point. */
export type DecimalSign = '.' | ',';
export const Notation = createContext<DecimalSign>('.');

/**
 * Returns a function that writes a decimal with the user's sign, and one that was typed with a point. It exchanges both signs,
 * so that nothing is guessed: what is typed with the other sign is reported, like any text that is not a decimal.
 */
export function useNotation(): (text: string) => string {
  return useContext(Notation) === '.'
    ? (text) => text
    : (text) => text.replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.'));
}

/** A decimal with the user's sign. */
export function Decimal({ text }: { text: string }) {
  return <>{useNotation()(text)}</>;
}

type NamesOf<R, T> = { [Name in keyof R]: R[Name] extends T ? Name : never }[keyof R] & string;

/** The values of a member, each with its label. */
type Options = readonly (readonly [value: string, label: string])[];

/** The member of the record that a field edits. */
interface Member<R, T> extends Edited<R> {
  name: NamesOf<R, T>;
  /** The name, if there is no label. */
  label?: ComponentChildren;
}

interface LabelledProps<R> extends Member<R, string> {
  class?: string;
  /** Shown while there are no messages. */
  note?: ComponentChildren;
}

interface FieldProps<R> extends LabelledProps<R> {
  kind?: 'plain' | 'decimal' | 'digits' | 'code' | 'long' | 'secret';
  list?: string;
  readOnly?: boolean;
}

const INPUT_MODES: Record<string, 'decimal' | 'numeric'> = { decimal: 'decimal', digits: 'numeric' };

export function Field<R>({ kind = 'plain', list, readOnly, ...member }: FieldProps<R>) {
  const { edit } = member;
  const exchanged = useNotation();
  const written = kind === 'decimal' ? exchanged : (text: string) => text;
  return (
    <Labelled {...member} kind={kind}>
      {(control, at) => {
        const text = {
          ...control,
          value: written(control.value),
          readOnly,
          autocomplete: 'off',
          spellcheck: false,
          onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement | HTMLTextAreaElement>) =>
            edit({ kind: 'set', at, to: written(currentTarget.value) }),
        } as const;
        if (kind === 'long') return <textarea {...text} rows={2} />;
        return <input {...text} type="text" list={list} inputMode={INPUT_MODES[kind]} />;
      }}
    </Labelled>
  );
}

interface SelectProps<R> extends LabelledProps<R> {
  /** Those of the draft's member, if they are not given. */
  options?: Options;
}

const optionsOf = (member: string): Options => Object.entries(choicesOf(member) ?? {});

export function Select<R>(props: SelectProps<R>) {
  const { options = optionsOf(props.name), edit } = props;
  return (
    <Labelled {...props}>
      {(control, at) => (
        <select {...control} onChange={(event) => edit({ kind: 'set', at, to: event.currentTarget.value })}>
          {options.map(([option, text]) => (
            <option value={option}>{text}</option>
          ))}
          {options.every(([option]) => option !== control.value) && <option>{control.value}</option>}
        </select>
      )}
    </Labelled>
  );
}

/** The attributes that every control has: its value, and those that connect it with its label and its messages. */
interface ControlAttributes {
  id: string;
  value: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

interface LabelledControlProps<R> extends LabelledProps<R> {
  kind?: string;
  children: (control: ControlAttributes, at: string) => ComponentChild;
}

/** Label, control and messages. The room for messages is reserved, so that nothing moves while typing. */
function Labelled<R>(props: LabelledControlProps<R>) {
  const { name, label = name, values, at, issues, inRow, note, class: className = '', kind = '', children } = props;
  const pointer = `${at}/${name}`;
  const own = issuesAt(issues, pointer);
  const control = {
    id: pointer,
    value: values[name] as string,
    'aria-invalid': own.some(({ severity }) => severity === 'error') || undefined,
    'aria-describedby': own.length > 0 || note ? messagesId(pointer) : undefined,
  };
  return (
    <div class={`field ${kind} ${className} ${own[0]?.severity ?? ''}`}>
      <label for={pointer}>{label}</label>
      {children(control, pointer)}
      {!inRow && (
        <p class="messages" id={messagesId(pointer)}>
          <span>{own.length > 0 ? own.map((issue) => <Message issue={issue} />) : note}</span>
        </p>
      )}
    </div>
  );
}

/** The messages of a row or a list, grouped by field, because they describe the field. */
export function RowMessages({ issues, at }: { issues: PageIssue[]; at: string }) {
  const byPointer = Map.groupBy(worstFirst(issues), ({ pointer }) => pointer);
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

/** Two or three options, all of them visible. */
export function Choice<R>(props: Omit<SelectProps<R>, 'note'>) {
  const { name, label, values, at, edit, options = optionsOf(name), class: className = '' } = props;
  const pointer = `${at}/${name}`;
  return (
    <fieldset class={`choice ${className}`}>
      <legend>{label}</legend>
      {options.map(([value, text]) => (
        <label>
          <input
            type="radio"
            name={pointer}
            checked={values[name] === value}
            onChange={() => edit({ kind: 'set', at: pointer, to: value })}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}

export function Check<R>({ name, label, values, at, edit }: Member<R, boolean>) {
  const pointer = `${at}/${name}`;
  return (
    <label class="check">
      <input
        type="checkbox"
        id={pointer}
        checked={values[name] as boolean}
        onChange={(event) => edit({ kind: 'set', at: pointer, to: event.currentTarget.checked })}
      />
      <span>{label}</span>
    </label>
  );
}
