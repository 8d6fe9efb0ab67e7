import { Component } from 'preact';
import type { Preview, PreviewLine, Step } from 'sales-order-intake/slim';

interface Props {
  preview: Preview;
  place: string;
  orderId: string;
}

const SOURCES = {
  supplied: 'Tax, supplied with the order',
  estimated: 'Tax in all, estimated',
  'point-of-sale': 'Tax, calculated by the point of sale',
};

/** The order as the till would show it. Every figure is the package's; none is added up here. */
export function Receipt({ preview, place, orderId }: Props) {
  const { lines, subtotal, discount, tax, total } = preview;
  // None where nobody asked why.
  const steps = new Map(preview.steps?.map((step) => [step.of, reason(step)]));
  const sum = (name: string, of: string, amount: string | null, className?: string) => (
    <div class={className}>
      <dt>{name}</dt>
      <dd>
        <Amount of={of} value={amount} />
      </dd>
      {steps.has(of) && <dd class="why">{steps.get(of)}</dd>}
    </div>
  );
  return (
    <div class="paper">
      <article class="receipt" aria-label="Receipt">
        <header>
          <p class="place">{place}</p>
          <p>
            Preview {preview.version} · {orderId.slice(0, 8) || 'no id'}
          </p>
        </header>
        <ol>
          {lines.map((line) => (
            <Line
              key={line.index}
              {...flat(line)}
              source={tax.source}
              hasDiscount={discount.entries.length > 0}
              reasons={REASONED.map((of) => steps.get(`/lines/${line.index}/${of}`) ?? '').join('\n')}
            />
          ))}
          {lines.length === 0 && <li>No lines yet</li>}
        </ol>
        <dl>
          {sum('Subtotal', '/subtotal', subtotal)}
          {discount.entries.map(({ name, amount }, index) =>
            sum(name ?? 'Discount', `/discount/entries/${index}/amount`, taken(amount)),
          )}
          {discount.entries.length > 1 && sum('Discount in all', '/discount/total', taken(discount.total))}
          {tax.source !== 'supplied' &&
            tax.entries.map(({ name, taxId, amount }, index) =>
              sum(name ?? taxId, `/tax/entries/${index}/amount`, amount),
            )}
          {sum(SOURCES[tax.source], '/tax/total', tax.total)}
          {sum('Total', '/total', total, 'total')}
        </dl>
        <p class="range">{roundingRange(preview)}</p>
        {discount.entries.length > 0 && <p class="range">Assumed: ValueType 1 is an amount, 2 a percentage.</p>}
      </article>
    </div>
  );
}

function roundingRange({ total, roundingRange: range }: Preview): string {
  if (!range) return 'The total is not known here, so neither is how far rounding can move it.';
  if (range.min === range.max) return `Every way of rounding gives ${total}.`;
  return `Depending on rounding, ${range.min} to ${range.max}.`;
}

type LineProps = ReturnType<typeof flat> & {
  source: Preview['tax']['source'];
  hasDiscount: boolean;
  /** Of the values that are REASONED, a line of text each. */
  reasons: string;
};

/** Texts only, so that a line that says the same is told at once. */
function flat({ taxes, ...line }: PreviewLine) {
  return { ...line, taxes: taxes.map(({ taxId, amount }) => `${taxId} ${amount}`).join() };
}

class Line extends Component<LineProps> {
  override shouldComponentUpdate(next: LineProps): boolean {
    return (Object.keys(next) as (keyof LineProps)[]).some((name) => next[name] !== this.props[name]);
  }

  render() {
    const { index, name, quantity, unitPrice, extended, discount, tax, taxes, total, source, hasDiscount, reasons } =
      this.props;
    const line = `/lines/${index}/`;
    const [whyExtended, whyDiscount, whyTax, whyTotal] = reasons.split('\n');
    const taxed = source === 'estimated' || (source === 'supplied' && index === 0);
    return (
      <li>
        <Pair name={name ?? `Line ${index + 1}, no name`} of={`${line}extended`} amount={extended} class="name" />
        <p class="times">
          {quantity ?? '?'} × {unitPrice ?? '?'}
        </p>
        <Why text={whyExtended} />
        {hasDiscount && <Pair name="Share of the discount" of={`${line}discount`} amount={taken(discount)} />}
        {hasDiscount && <Why text={whyDiscount} />}
        {taxed &&
          source === 'supplied' &&
          taxes !== '' &&
          taxes.split(',').map((each, nth) => {
            const [id = '', amount = null] = each.split(' ');
            return <Pair name={`Tax ${id.slice(0, 8)}`} of={`${line}taxes/${nth}/amount`} amount={amount} />;
          })}
        {taxed && (
          <Pair
            name={source === 'supplied' ? 'All taxes, shown here' : 'Tax, estimated'}
            of={`${line}tax`}
            amount={tax}
          />
        )}
        {taxed && <Why text={whyTax} />}
        {(hasDiscount || taxed) && <Pair name="Line total" of={`${line}total`} amount={total} />}
        <Why text={whyTotal} />
      </li>
    );
  }
}

function Pair({
  name,
  of,
  amount,
  class: className = '',
}: {
  name: string;
  of: string;
  amount: string | null;
  class?: string;
}) {
  return (
    <p class={`pair ${className}`}>
      <span>{name}</span>
      <Amount of={of} value={amount} />
    </p>
  );
}

/** `of` says which value of the preview it is. */
const Amount = ({ of, value }: { of: string; value: string | null }) => (
  <span class={value === null ? 'unknown' : 'figure'} data-of={of}>
    {value ?? 'unknown'}
  </span>
);

/** Taken away; nothing taken away is zero, without a sign. */
const taken = (amount: string | null) => (amount !== null && /[1-9]/.test(amount) ? `−${amount}` : amount);

const Why = ({ text }: { text: string | undefined }) => (text ? <p class="why">{text}</p> : null);

const REASONED = ['extended', 'discount', 'tax', 'total'];

const reason = ({ expression, exact, result, rule }: Step) =>
  `${[...new Set([expression, exact, result])].join(' → ')}  ${rule}`;
