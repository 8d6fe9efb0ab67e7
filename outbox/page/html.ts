/** HTML whose values are escaped by construction: only templates in the source become {@link Markup}. */

class Markup {
  constructor(readonly text: string) {}
}
export type { Markup };

/** A value of a template: markup or a list of it, a string or number, which is escaped, or null, undefined or false for nothing. */
export type Content = Markup | readonly Content[] | string | number | null | undefined | false;

/** Returns the markup of a template. Values are text or quoted attributes, never names of elements or attributes. */
export function html(template: TemplateStringsArray, ...values: readonly Content[]): Markup {
  const parts = template.map((part, index) => part + (index < values.length ? textOf(values[index]) : ''));
  return new Markup(parts.join(''));
}

function textOf(value: Content): string {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(textOf).join('');
  if (value === null || value === undefined || value === false) return '';
  return String(value).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Returns a link to another view: relative, so that the page may be mounted at any path. */
export function href(parameters: Readonly<Record<string, string | readonly string[]>>): string {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(parameters))
    for (const value of [values].flat()) if (value) query.append(name, value);
  return `?${query}`;
}
