/** The media types of requests and responses: application/json and text/json (§4, D40). */

const OFFERED = ['application/json', 'text/json'] as const;

/** As it stands in Content-Type; without a charset text is not taken for UTF-8 everywhere. */
const CONTENT_TYPES = { 'application/json': 'application/json', 'text/json': 'text/json; charset=utf-8' } as const;

/** Whether a Content-Type is that of an order: one of the two, in UTF-8. */
export function isOrderMedia(contentType: string): boolean {
  const { essence, parameters } = parse(contentType);
  const charset = parameters.find(([name]) => name === 'charset')?.[1] ?? 'utf-8';
  return OFFERED.some((media) => media === essence) && /^utf-?8$/i.test(charset);
}

/** The Content-Type of the answer that an Accept header prefers; application/json where both are as good (RFC 9110 §12.5.1). */
export function preferredContentType(accept: string): string | undefined {
  const ranges = accept
    .split(',')
    .filter((range) => range.trim() !== '')
    .map(parse);
  if (ranges.length === 0) return CONTENT_TYPES['application/json'];
  const weight = (media: string) => {
    const names = ['*/*', `${media.split('/')[0]}/*`, media];
    const matching = ranges.filter(({ essence }) => names.includes(essence));
    // The closest decides, the last of those that are as close.
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

/** What is no weight counts as none given. */
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
