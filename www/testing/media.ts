/** The media types of requests and responses: application/json and text/json (§4, D40). */

const OFFERED = ['application/json', 'text/json'] as const;

/** The values of Content-Type. Without a charset, some clients do not read text/json as UTF-8. */
const CONTENT_TYPES = { 'application/json': 'application/json', 'text/json': 'text/json; charset=utf-8' } as const;

/** Returns true if a Content-Type is one of orders: one of the two, in UTF-8. */
export function isOrderMedia(contentType: string): boolean {
  const { essence, parameters } = parse(contentType);
  const charset = parameters.find(([name]) => name === 'charset')?.[1] ?? 'utf-8';
  return OFFERED.some((media) => media === essence) && /^utf-?8$/i.test(charset);
}

/** Returns the Content-Type that an Accept header prefers, application/json if both are equal (RFC 9110 §12.5.1). */
export function preferredContentType(accept: string): string | undefined {
  const ranges = accept
    .split(',')
    .filter((range) => range.trim() !== '')
    .map(parse);
  if (ranges.length === 0) return CONTENT_TYPES['application/json'];
  const weight = (media: string) => {
    const names = ['*/*', `${media.split('/')[0]}/*`, media];
    const matching = ranges.filter(({ essence }) => names.includes(essence));
    // The most specific range decides; of several equal ones, the last.
    const closest = names.flatMap((name) => matching.filter(({ essence }) => essence === name)).pop();
    return closest ? weightOf(closest) : 0;
  };
  const [application, text] = [weight('application/json'), weight('text/json')];
  if (application === 0 && text === 0) return undefined;
  return CONTENT_TYPES[application >= text ? 'application/json' : 'text/json'];
}

interface MediaRange {
  essence: string;
  parameters: [name: string, value: string][];
}

/** Returns the weight of a range; an invalid weight counts as 1. */
function weightOf({ parameters }: MediaRange): number {
  const q = parameters.find(([name]) => name === 'q')?.[1] ?? '';
  return /^(0(\.\d+)?|1(\.0+)?)$/.test(q) ? Number(q) : 1;
}

function parse(text: string): MediaRange {
  const [essence = '', ...parameters] = text.split(';').map((part) => part.trim());
  return {
    essence: essence.toLowerCase(),
    parameters: parameters
      .filter((part) => part.includes('='))
      .map((part) => {
        const [name = '', ...value] = part.split('=');
        return [
          name.trim().toLowerCase(),
          value
            .join('=')
            .trim()
            .replace(/^"+|"+$/g, ''),
        ];
      }),
  };
}
