import { h, type ComponentChildren, type TargetedInputEvent } from 'preact';
import type { SetEdit } from './edit';
import { at as issuesAt, WORDS, worstFirst, type Said } from './issues';

const ICONS = {
  error:
    'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1ZM5.3 4.2 8 6.9l2.7-2.7 1.1 1.1L9.1 8l2.7 2.7-1.1 1.1L8 9.1l-2.7 2.7-1.1-1.1L6.9 8 4.2 5.3Z',
  warning: 'M8 1 .5 14.5h15ZM7.2 6h1.6v4.2H7.2Zm0 5.4h1.6V13H7.2Z',
  notice: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1ZM7.2 4h1.6v1.6H7.2Zm0 3h1.6v5H7.2Z',
  done: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm3.6 4.1L7.1 11.6 4.2 8.8l1.1-1.1 1.6 1.6 3.4-5Z',
  till: 'M3 .5h10v15l-2-1.6-1.5 1.6L8 13.9l-1.5 1.6L5 13.9 3 15.5ZM5 4v1h6V4Zm0 2.5v1h6v-1ZM5 9v1h4V9Z',
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

/** Icon, word and message: never told by colour alone. */
export function Message({ issue, id }: { issue: Said; id?: string | undefined }) {
  const { severity, message, hint, byService } = issue;
  return (
    <span class={`message ${severity}`} id={id} title={hint}>
      <Icon name={severity} />
      <b>{WORDS[severity][0]}</b> {byService && 'from the service: '}
      {message}
    </span>
  );
}

interface Shared {
  label: string;
  at: string;
  edit: (edit: SetEdit) => void;
  issues: Said[];
  class?: string;
  /** What is to be said stands below the row. */
  inRow?: boolean;
  note?: ComponentChildren;
}
type Options = readonly (readonly [value: string, label: string])[];

interface FieldProps extends Shared {
  value: string;
  kind?: 'plain' | 'decimal' | 'digits' | 'code' | 'long' | 'secret';
  list?: string;
  hold?: boolean;
}

const INPUT_MODES: Record<string, string> = { decimal: 'decimal', digits: 'numeric' };

export function Field({ kind = 'plain', value, list, hold, ...shared }: FieldProps) {
  const { at, edit } = shared;
  const attributes = {
    value,
    list,
    readOnly: hold,
    autocomplete: 'off',
    spellcheck: false,
    rows: 2,
    inputMode: INPUT_MODES[kind],
    type: 'text',
    onInput: (event: TargetedInputEvent<HTMLInputElement>) => edit({ kind: 'set', at, to: event.currentTarget.value }),
  };
  return <Labelled {...shared} tag={kind === 'long' ? 'textarea' : 'input'} kind={kind} attributes={attributes} />;
}

/** What is to be said of a row or a list, in one line. */
export function RowMessages({ issues, at }: { issues: Said[]; at: string }) {
  const places = new Set<string>();
  return (
    <p class="said" id={`${at}!`}>
      <span>
        {worstFirst(issues).map((issue) => {
          // The id that its field is described by: the first of a field has it.
          const id = places.has(issue.pointer) || issue.pointer === at ? undefined : `${issue.pointer}!`;
          places.add(issue.pointer);
          return <Message issue={issue} id={id} />;
        })}
      </span>
    </p>
  );
}

interface SelectProps extends Shared {
  value: string;
  options: Options;
}

export function Select({ value, options, ...shared }: SelectProps) {
  const { at, edit } = shared;
  const known = options.some(([option]) => option === value);
  const attributes = {
    value,
    onChange: (event: TargetedInputEvent<HTMLSelectElement>) =>
      edit({ kind: 'set', at, to: event.currentTarget.value }),
    children: (known ? options : [...options, [value, value] as const]).map(([option, text]) => (
      <option value={option}>{text}</option>
    )),
  };
  return <Labelled {...shared} tag="select" attributes={attributes} />;
}

/** Label and control, with room below for what is to be said, so that nothing moves while one types. */
function Labelled({
  label,
  at,
  issues,
  inRow,
  note,
  class: name = '',
  kind = '',
  tag,
  attributes,
}: Shared & { tag: 'input' | 'select' | 'textarea'; kind?: string; attributes: object }) {
  const mine = issuesAt(issues, at);
  const said = `${at}!`;
  return (
    <div class={`field ${kind} ${name} ${mine[0]?.severity ?? ''}`}>
      <label for={at}>{label}</label>
      {h(tag as 'input', {
        id: at,
        'aria-invalid': mine.some(({ severity }) => severity === 'error') || undefined,
        'aria-describedby': mine.length > 0 || note ? said : undefined,
        ...attributes,
      })}
      {!inRow && (
        <p class="said" id={said}>
          <span>{mine.length > 0 ? mine.map((issue) => <Message issue={issue} />) : note}</span>
        </p>
      )}
    </div>
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

/** One of two or three, all in sight. */
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
