import { Component, type ComponentChildren } from 'preact';
import type { Preview, PreviewLine, Step } from 'sales-order-intake';

interface Props {
  preview: Preview;
  place: string;
  orderId: string;
  explain: boolean;
}

const SOURCES = {
  supplied: 'Tax, supplied with the order',
  estimated: 'Tax in all, estimated',
  'point-of-sale': 'Tax, calculated by the point of sale',
};

/** The order as the till would show it. Every figure is the package's; none is added up here. */
export function Receipt({ preview, place, orderId, explain }: Props) {
  const { lines, subtotal, discount, tax, total } = preview;
  const steps = new Map(preview.steps?.map((step) => [step.of, step]));
  const why = (of: string) => explain && <Why step={steps.get(of)} />;
  return (
    <div class="paper">
      <article class="receipt" aria-label="Receipt">
        <header>
          <p class="place">{place}</p>
          <p>Preview {preview.version} · {orderId.slice(0, 8) || 'no id'}</p>
        </header>
        <ol>
          {lines.map((line) => (
            <Line
              key={line.index}
              {...flat(line)}
              source={tax.source}
              hasDiscount={discount.entries.length > 0}
              steps={explain ? steps : undefined}
            />
          ))}
          {lines.length === 0 && <li>No lines yet</li>}
        </ol>
        <dl>
          <Sum name="Subtotal" amount={subtotal}>{why('/subtotal')}</Sum>
          {discount.entries.map((entry, index) => (
            <Sum name={entry.name ?? 'Discount'} amount={entry.amount} taken>{why(`/discount/entries/${index}/amount`)}</Sum>
          ))}
          {discount.entries.length > 1 && <Sum name="Discount in all" amount={discount.total} taken>{why('/discount/total')}</Sum>}
          {tax.source !== 'supplied' && tax.entries.map((entry, index) => (
            <Sum name={entry.name ?? entry.taxId} amount={entry.amount}>{why(`/tax/entries/${index}/amount`)}</Sum>
          ))}
          <Sum name={SOURCES[tax.source]} amount={tax.total}>{why('/tax/total')}</Sum>
          <Sum name="Total" amount={total} class="total">{why('/total')}</Sum>
        </dl>
        <p class="risk">{pennyRisk(preview)}</p>
      </article>
    </div>
  );
}

export function pennyRisk({ total, pennyRisk: risk }: Preview): string {
  if (!risk) return 'The total is not known here, so neither is how far rounding can move it.';
  if (risk.min === risk.max) return `Every way of rounding gives ${total}.`;
  return `Penny risk: a till that rounds in another way arrives at ${risk.min} to ${risk.max}.`;
}

type LineProps = ReturnType<typeof flat> & {
  source: Preview['tax']['source'];
  hasDiscount: boolean;
  steps: Map<string, Step> | undefined;
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
    const { index, name, quantity, unitPrice, extended, discount, tax, taxes, total, source, hasDiscount, steps } = this.props;
    const why = (of: string) => steps && <Why step={steps.get(`/lines/${index}/${of}`)} />;
    const taxed = source === 'estimated' || (source === 'supplied' && index === 0);
    return (
      <li>
        <Pair name={name ?? `Line ${index + 1}, no name`} amount={extended} class="name" />
        <p class="times">{quantity ?? '?'} × {unitPrice ?? '?'}</p>
        {why('extended')}
        {hasDiscount && <Pair name="Share of the discount" amount={taken(discount)} />}
        {hasDiscount && why('discount')}
        {taxed && source === 'supplied' && taxes && taxes.split(',').map((each) => {
          const [id = '', amount = null] = each.split(' ');
          return <Pair name={`Tax ${id.slice(0, 8)}`} amount={amount} />;
        })}
        {taxed && <Pair name={source === 'supplied' ? 'All taxes, shown here' : 'Tax, estimated'} amount={tax} />}
        {taxed && why('tax')}
        {(hasDiscount || taxed) && <Pair name="Line total" amount={total} />}
        {why('total')}
      </li>
    );
  }
}

function Pair({ name, amount, class: className = '' }: { name: string; amount: string | null; class?: string }) {
  return (
    <p class={`pair ${className}`}>
      <span>{name}</span>
      <Amount of={amount} />
    </p>
  );
}

interface SumProps {
  name: string;
  amount: string | null;
  taken?: boolean;
  class?: string;
  children?: ComponentChildren;
}

function Sum({ name, amount, taken: isTaken, class: className, children }: SumProps) {
  return (
    <div class={className}>
      <dt>{name}</dt>
      <dd>
        <Amount of={isTaken ? taken(amount) : amount} />
      </dd>
      {children && <dd class="why-cell">{children}</dd>}
    </div>
  );
}

const Amount = ({ of }: { of: string | null }) => (of === null ? <span class="unknown">unknown</span> : <span class="figure">{of}</span>);

/** Taken away; nothing taken away is zero, without a sign. */
const taken = (amount: string | null) => (amount !== null && /[1-9]/.test(amount) ? `−${amount}` : amount);

function Why({ step }: { step: Step | undefined }) {
  if (!step) return null;
  const { expression, exact, result, rule } = step;
  return <span class="why">{[...new Set([expression, exact, result])].join(' → ')} <i>{rule}</i></span>;
}
