/** Corrects an order in a form: a field for each value that the form knows or the order has. All others stay as they were written. */
import { evaluateOrder, readDecimal, type Issue, type Totals, type Version } from 'sales-order-intake';
import { memberOf } from '../../pkg-template/src/options/check.js';
import { html, type Content, type Markup } from './html.js';
import { jsonText, type Json, type Member } from './json.js';
import type { Language } from './language.js';
import type { Texts } from './texts.js';

/** The fields of an order, and those of an item, which it has even if they are empty. */
const ORDER_FIELDS = [
  ...['CompanyId', 'EntityId', 'IntegratorId', 'FirstName', 'LastName', 'CustomerId'],
  ...['IsDelivery', 'TimeSlotDisplayString', 'Notes'],
];
const ITEM_FIELDS = ['Name', 'Quantity', 'SellAtPricePerUnit', 'CatalogItemId', 'PackageId', 'Batch'];
const NUMBERS = ['CompanyId', 'EntityId', 'Quantity', 'SellAtPricePerUnit', 'Value', 'TaxAmount'];
/** They may be null, which needs no field. */
const RECORDS = ['Items', 'Discount', 'InvoiceLevel', 'Taxes'];
/** The character before the fraction digits, as people type it. */
type Decimal = Language['decimal'];
/** The entries of a list that have fields; a further one has some only if it has an error. */
const MOST_ENTRIES = 100;

// ---------------------------------------------------------------- reading a form

/** Returns the order with what was typed into its form. A value whose field was not changed stays as it was written. */
export function edited(order: Json, form: URLSearchParams, decimal: Decimal): Json {
  const removed = new Set(form.getAll('remove'));
  // A member that is repeated has several fields.
  const typed = new Map<string, string[]>();
  for (const [name, text] of form) {
    const texts = typed.get(name);
    if (texts) texts.push(text);
    else typed.set(name, [text]);
  }
  const edit = (json: Json, pointer: string): Json => {
    if (json.type === 'value') return json;
    if (json.type === 'array') {
      const items = json.items.map((item, index) => edit(item, `${pointer}/${index}`));
      return { type: 'array', items: items.filter((_, index) => !removed.has(`${pointer}/${index}`)) };
    }
    const members = [...json.members, ...absentFrom(json.members, pointer)].flatMap(([name, value]): Member[] => {
      const at = memberOf(pointer, name);
      if (value.type !== 'value') return [[name, edit(value, at)]];
      const text = typed.get(at)?.shift();
      const token = text === undefined ? value.text : tokenOf(name, value.text, text, decimal);
      return token === '' ? [] : [[name, { type: 'value', text: token }]];
    });
    return { type: 'object', members };
  };
  return edit(order, '');
}

/** Returns the order with one item more. */
export function withItem(order: Json): Json {
  if (order.type !== 'object') return order;
  const items = order.members.flatMap(([name, list]) => (name === 'Items' && list.type === 'array' ? list.items : []));
  const others = order.members.filter(([name]) => name !== 'Items');
  const more: Json = { type: 'array', items: [...items, { type: 'object', members: [] }] };
  return { type: 'object', members: [...others, ['Items', more]] };
}

/** Returns the members that have a field although the order has none of them: each with an empty token. */
function absentFrom(members: readonly Member[], pointer: string): Member[] {
  const known = pointer === '' ? ORDER_FIELDS : /^\/Items\/\d+$/.test(pointer) ? ITEM_FIELDS : [];
  const absent = known.filter((name) => !members.some(([present]) => present === name));
  return absent.map((name) => [name, { type: 'value', text: '' }]);
}

/** Returns the token of what was typed in place of another; an empty one if nothing was. */
function tokenOf(name: string, before: string, typed: string, decimal: Decimal): string {
  const text = typed.replace(/\r\n?/g, '\n');
  const number = NUMBERS.includes(name) ? readDecimal(text.trim(), { decimal }) : null;
  // A number in quotes, which an integer may not be, loses them.
  if (number !== null && /^"/.test(before)) return number;
  if (text === asSent(shownOf(name, before, decimal))) return before;
  if (text.trim() === '') return '';
  if (number !== null) return number;
  const isLiteral = /^(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(text);
  const mayBeLiteral = name === 'IsDelivery' || /^[^"n]/.test(before);
  // With a decimal comma, 1.500 could be meant as either number: the space makes it none.
  if (NUMBERS.includes(name)) return JSON.stringify(` ${text.trim()}`);
  return isLiteral && mayBeLiteral ? text : JSON.stringify(text);
}

/** Returns the text of a field for a token: a number as a person would type it. */
function shownOf(name: string, token: string, decimal: Decimal): string {
  if (token === 'null') return '';
  const text = token.startsWith('"') ? (JSON.parse(token) as string) : token;
  return NUMBERS.includes(name) && /^-?\d+\.\d+$/.test(text) ? text.replace('.', decimal) : text;
}

/** Returns what a browser sends for a field that nobody has changed. */
function asSent(text: string): string {
  const sent = new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text));
  return sent.replaceAll('\0', '\ufffd').replace(/\r\n?/g, '\n');
}

// ---------------------------------------------------------------- showing it

/** An order that is corrected. */
export interface Draft {
  order: Json;
  /** Issues other than those by the rules of the package. */
  issues: readonly Issue[];
  /** A digest of the order that the form was made from; null for that of the entry. */
  from: string | null;
}

/** Returns the fields of an order, with its issues and totals. */
export function correction(
  { order, issues, from }: Draft,
  { orderId, version }: { orderId: string; version: Version },
  language: Language,
): Markup {
  const { texts } = language;
  const evaluation = evaluateOrder(jsonText(order), { version, orderId });
  const textOf = ({ pointer, message }: Issue) => `${pointer} ${message}`;
  const known = new Set(evaluation.issues.map(textOf));
  const isNew = (issue: Issue) => !known.has(textOf(issue));
  const all = [...issues.filter(isNew), ...evaluation.issues];
  const form = new Form(all, language, evaluation.preview().lines);
  const fields = form.partsOf(order, '');
  return html`<input type="hidden" name="order" value="${jsonText(order)}">
    <input type="hidden" name="from" value="${from}">
    ${all.length === 0 ? html`<p>${texts.noIssues}</p>` : form.summary()}
    <div class="fields">${fields}</div>
    ${totals(evaluation.totals, language)}`;
}

class Form {
  readonly #issues: readonly Issue[];
  readonly #language: Language;
  readonly #lines: readonly { extended: string | null }[];
  readonly #issuesAt = new Map<string, Issue[]>();
  /** The pointers of values with an error, and of all that they are in. */
  readonly #wrong = new Set<string>();
  /** The ids of fields, by the pointers of their values. */
  readonly #ids = new Map<string, string>();
  #fields = 0;

  constructor(issues: readonly Issue[], language: Language, lines: readonly { extended: string | null }[]) {
    this.#issues = issues;
    this.#language = language;
    this.#lines = lines;
    for (const issue of issues) {
      const { pointer, severity } = issue;
      const others = this.#issuesAt.get(pointer);
      if (others) others.push(issue);
      else this.#issuesAt.set(pointer, [issue]);
      let at = severity === 'error' ? pointer : '';
      for (; at !== '' && !this.#wrong.has(at); at = at.slice(0, at.lastIndexOf('/'))) this.#wrong.add(at);
    }
  }

  /** Returns all issues, with links to their fields, which must have been shown before. */
  summary(): Markup {
    const { texts } = this.#language;
    const item = ({ severity, pointer, path, message, hint }: Issue) => {
      const id = this.#ids.get(pointer);
      const text = html`<bdi lang="en">${message}${hint && `; ${hint}`}</bdi>`;
      return html`<li class="issue ${severity}"><strong>${texts.severities[severity]}</strong>
        ${placeOf(path, texts)}: ${id ? html`<a href="#${id}">${text}</a>` : text}</li>`;
    };
    return html`<ul aria-label="${texts.issues}">${this.#issues.map(item)}</ul>`;
  }

  partsOf(json: Json, pointer: string): Content {
    if (json.type === 'value') return html`<code>${json.text}</code>`;
    if (json.type === 'array') return this.#entriesOf(json.items, pointer);
    const members = [...absentFrom(json.members, pointer), ...json.members];
    const rank = ([name]: Member) => (pointer === '' ? ORDER_FIELDS : ITEM_FIELDS).indexOf(name) + 1 || 99;
    return members
      .filter(([name]) => pointer !== '' || name !== 'Id')
      .sort((one, other) => rank(one) - rank(other))
      .map(([name, value]) => {
        const at = memberOf(pointer, name);
        if (value.type === 'value') return this.#field(name, value.text, at);
        if (value.type === 'array') return this.#entriesOf(value.items, at, name);
        return html`<fieldset><legend>${labelOf(name, this.#language.texts)}</legend>${this.partsOf(value, at)}</fieldset>`;
      });
  }

  #entriesOf(items: readonly Json[], pointer: string, name = ''): Content {
    const { texts, number } = this.#language;
    let hidden = 0;
    const entries = items.map((item, index) => {
      const at = `${pointer}/${index}`;
      if (index >= MOST_ENTRIES && !this.#wrong.has(at)) {
        hidden++;
        return null;
      }
      const price = pointer === '/Items' ? this.#lines[index]?.extended : null;
      return html`<fieldset><legend>${labelOf(name, this.#language.texts)} ${index + 1}${price && `: ${number(price)}`}</legend>
        ${this.partsOf(item, at)}
        <label class="choice"><input type="checkbox" name="remove" value="${at}"> ${texts.remove}</label></fieldset>`;
    });
    return [entries, hidden > 0 && html`<p>${`${texts.hidden} ${hidden}`}</p>`];
  }

  #field(name: string, token: string, pointer: string): Content {
    const { texts } = this.#language;
    if (token === 'null' && RECORDS.includes(name)) return null;
    const id = `field-${++this.#fields}`;
    if (!this.#ids.has(pointer)) this.#ids.set(pointer, id);
    const issues = this.#issuesAt.get(pointer) ?? [];
    const value = shownOf(name, token, this.#language.decimal);
    const isWrong = issues.some(({ severity }) => severity === 'error');
    const attributes = html`id="${id}" name="${pointer}"${isWrong && html` aria-invalid="true"`}${
      issues.length > 0 && html` aria-describedby="${id}-issues"`
    }`;
    const issue = ({ severity, message }: Issue) =>
      html`<span class="issue ${severity}">${texts.severities[severity]}: <bdi lang="en">${message}</bdi></span>`;
    const label = labelOf(name, texts);
    const isWide = name === 'Notes' || (name.endsWith('Id') && !NUMBERS.includes(name));
    return html`<div class="field${isWide && ' wide'}">
      <label for="${id}">${label}${label !== name && html` <code>${name}</code>`}</label>
      ${this.#control(name, value, attributes)}
      ${issues.length > 0 && html`<p id="${id}-issues">${issues.map(issue)}</p>`}</div>`;
  }

  #control(name: string, value: string, attributes: Markup): Markup {
    const { texts } = this.#language;
    if (name === 'IsDelivery' && /^(?:true|false)?$/.test(value)) {
      const option = (chosen: string, label: string) =>
        html`<option value="${chosen}"${chosen === value && html` selected`}>${label}</option>`;
      return html`<select ${attributes}>${option('', texts.unset)}${option('true', texts.yes)}${option('false', texts.no)}
        </select>`;
    }
    if (name === 'Notes' || /[\r\n]/.test(value))
      return html`<textarea ${attributes} rows="3">
${value}</textarea>`;
    const mode = NUMBERS.includes(name) && html` inputmode="decimal"`;
    return html`<input ${attributes}${mode} value="${value}" autocomplete="off" spellcheck="false">`;
  }
}

/** Returns the name of a member. */
function labelOf(name: string, { members }: Texts): string {
  const labels: Readonly<Record<string, string>> = members;
  return (Object.hasOwn(labels, name) && labels[name]) || name;
}

/** Returns where an issue is: "Item 3, Quantity". */
export function placeOf(path: Issue['path'], texts: Texts): string {
  const names = path.flatMap((key, index) => {
    if (typeof key === 'number') return [];
    const next = path[index + 1];
    return typeof next === 'number' ? `${labelOf(key, texts)} ${next + 1}` : labelOf(key, texts);
  });
  return names.join(', ') || texts.theOrder;
}

function totals({ subtotal, discount, tax, total }: Totals, { texts, number }: Language): Markup {
  const amount = (value: string | null, unknown = texts.unknown) => (value === null ? unknown : number(value));
  return html`<h3>${texts.totals}</h3><dl class="facts totals">
    <dt>${texts.subtotal}</dt><dd>${amount(subtotal)}</dd>
    <dt>${texts.discount}</dt><dd>${amount(discount.total)}</dd>
    <dt>${texts.tax}</dt><dd>${amount(tax.total, tax.source === 'point-of-sale' ? texts.byPointOfSale : texts.unknown)}</dd>
    <dt>${texts.total}</dt><dd>${amount(total)}</dd></dl>`;
}
