/** JSON as it was written: every digit, every string and every repeated member stays. */
export type Json =
  | { type: 'value'; text: string }
  | { type: 'array'; items: readonly Json[] }
  | { type: 'object'; members: readonly Member[] };
export type Member = readonly [name: string, value: Json];

/** Returns null for text that is not JSON, or is nested too deeply to be read. */
export function parseJson(text: string): Json | null {
  try {
    JSON.parse(text);
    const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{}]|[^\s[\]{}:,"]+/g) ?? [];
    return valueFrom(tokens.values());
  } catch {
    return null;
  }
}

/** Reads one value; the end of an array or object is a value, too, which ends the loops below. */
function valueFrom(tokens: Iterator<string>): Json {
  const text = tokens.next().value as string;
  const isEnd = (value: Json) => value.type === 'value' && /^[\]}]$/.test(value.text);
  if (text === '[') {
    const items: Json[] = [];
    for (let item = valueFrom(tokens); !isEnd(item); item = valueFrom(tokens)) items.push(item);
    return { type: 'array', items };
  }
  if (text !== '{') return { type: 'value', text };
  const members: Member[] = [];
  for (let name = tokens.next().value as string; name !== '}'; name = tokens.next().value as string)
    members.push([JSON.parse(name) as string, valueFrom(tokens)]);
  return { type: 'object', members };
}

/** Returns compact JSON; with `line`, a line break and the indentation of the value, JSON for people. */
export function jsonText(json: Json, line = ''): string {
  if (json.type === 'value') return json.text;
  const deeper = line && `${line}  `;
  const [open, close] = json.type === 'array' ? '[]' : '{}';
  const parts =
    json.type === 'array'
      ? json.items.map((item) => jsonText(item, deeper))
      : json.members.map(([name, value]) => `${JSON.stringify(name)}:${line && ' '}${jsonText(value, deeper)}`);
  return parts.length === 0 ? `${open}${close}` : `${open}${deeper}${parts.join(`,${deeper}`)}${line}${close}`;
}

/** Returns JSON with line breaks and indentation; what is not JSON as it is. */
export function indented(text: string): string {
  const json = parseJson(text);
  return json ? jsonText(json, '\n') : text;
}
