import type { Preview, PreviewLine, Step } from 'sales-order-intake/slim';
import { Decimal, useNotation } from './field';
import { memo, useDeferredValue } from './memo';

interface Props {
  preview: Preview;
  destination: string;
  orderId: string;
}

const TAX_NAMES = {
  supplied: 'Tax, supplied with the order',
  estimated: 'Total tax, estimated',
  'point-of-sale': 'Tax, calculated by the point of sale',
};

/** The order as the point of sale would show it. Every amount comes from the package; none is calculated here. */
export function Receipt({ preview, destination, orderId }: Props) {
  const { lines, subtotal, discount, tax, total } = preview;
  const steps = new Map(preview.steps?.map((step) => [step.of, step]));
  const row = (name: string, of: string, amount: string | null, className?: string) => (
    <div class={className}>
      <dt>{name}</dt>
      <dd>
        <Amount of={of} value={amount} />
      </dd>
      {steps.has(of) && <dd class="calculation">{calculationOf(steps.get(of) as Step)}</dd>}
    </div>
  );
  return (
    <div class="paper">
      <article class="receipt" aria-label="Receipt">
        <header>
          <p class="destination">{destination}</p>
          <p>
            Preview {preview.version} · {orderId.slice(0, 8) || 'no Id'}
          </p>
        </header>
        <ol>
          {groupsOf(lines).map((group, index) => (
            <Lines
              key={index}
              delay={index * FRAME_MS}
              lines={group}
              taxSource={tax.source}
              hasDiscount={discount.entries.length > 0}
              steps={steps}
            />
          ))}
          {lines.length === 0 && <li>No lines yet</li>}
        </ol>
        <dl>
          {row('Subtotal', '/subtotal', subtotal)}
          {discount.entries.map(({ name, amount }, index) =>
            row(name ?? 'Discount', `/discount/entries/${index}/amount`, subtracted(amount)),
          )}
          {discount.entries.length > 1 && row('Total discount', '/discount/total', subtracted(discount.total))}
          {tax.source !== 'supplied' &&
            tax.entries.map(({ name, taxId, amount }, index) =>
              row(name ?? taxId, `/tax/entries/${index}/amount`, amount),
            )}
          {row(TAX_NAMES[tax.source], '/tax/total', tax.total)}
          {row('Total', '/total', total, 'total')}
        </dl>
        <p class="range">
          <RoundingRange {...preview} />
        </p>
        {discount.entries.length > 0 && <p class="range">Assumed: ValueType 1 is an amount, 2 a percentage.</p>}
      </article>
    </div>
  );
}

function RoundingRange({ total, roundingRange: range }: Preview) {
  const written = useNotation();
  if (!range) return 'The total is unknown here, so its rounding range is unknown too.';
  if (range.min === range.max) return `Every rounding mode gives ${written(`${total}`)}.`;
  return `Depending on rounding, ${written(range.min)} to ${written(range.max)}.`;
}

/** The number of lines rendered in one task. A new discount changes every line, and rendering all at once delays typing. */
const GROUP = 50;
/** The pause before the next lines: a frame. */
const FRAME_MS = 16;

const groupsOf = (lines: PreviewLine[]): PreviewLine[][] =>
  Array.from({ length: Math.ceil(lines.length / GROUP) }, (_, index) =>
    lines.slice(index * GROUP, (index + 1) * GROUP),
  );

interface LinesProps {
  delay: number;
  lines: PreviewLine[];
  taxSource: Preview['tax']['source'];
  hasDiscount: boolean;
  steps: Map<string, Step>;
}

function Lines(current: LinesProps) {
  const { lines, steps, delay: _, ...shared } = useDeferredValue(current, current.delay);
  return lines.map((line) => <Line key={line.index} {...shared} line={line} steps={stepsOf(line, steps)} />);
}

const CALCULATED = ['extended', 'discount', 'tax', 'total'] as const;
type LineSteps = { [Amount in (typeof CALCULATED)[number]]?: Step };

const stepsOf = ({ index }: PreviewLine, steps: Map<string, Step>): LineSteps =>
  Object.fromEntries(CALCULATED.map((amount) => [amount, steps.get(`/lines/${index}/${amount}`)]));

interface LineProps extends Pick<LinesProps, 'taxSource' | 'hasDiscount'> {
  line: PreviewLine;
  steps: LineSteps;
}

const Line = memo(({ line, taxSource, hasDiscount, steps }: LineProps) => {
  const { index, name, quantity, unitPrice, extended, discount, tax, taxes, total } = line;
  const at = `/lines/${index}`;
  const isSupplied = taxSource === 'supplied' && index === 0;
  const hasTax = isSupplied || taxSource === 'estimated';
  return (
    <li>
      <Pair name={name ?? `Line ${index + 1}, no name`} of={`${at}/extended`} amount={extended} class="name" />
      <p class="factors">
        <Decimal text={quantity ?? '?'} /> × <Decimal text={unitPrice ?? '?'} />
      </p>
      <Calculation step={steps.extended} />
      {hasDiscount && <Pair name="Share of the discount" of={`${at}/discount`} amount={subtracted(discount)} />}
      {hasDiscount && <Calculation step={steps.discount} />}
      {isSupplied &&
        taxes.map(({ taxId, amount }, nth) => (
          <Pair name={`Tax ${taxId.slice(0, 8)}`} of={`${at}/taxes/${nth}/amount`} amount={amount} />
        ))}
      {hasTax && <Pair name={isSupplied ? 'All taxes of the order' : 'Tax, estimated'} of={`${at}/tax`} amount={tax} />}
      {hasTax && <Calculation step={steps.tax} />}
      {(hasDiscount || hasTax) && <Pair name="Line total" of={`${at}/total`} amount={total} />}
      <Calculation step={steps.total} />
    </li>
  );
});

interface PairProps {
  name: string;
  of: string;
  amount: string | null;
  class?: string;
}

function Pair({ name, of, amount, class: className = '' }: PairProps) {
  return (
    <p class={`pair ${className}`}>
      <span>{name}</span>
      <Amount of={of} value={amount} />
    </p>
  );
}

/** `of` is the JSON Pointer of the amount in the preview. */
const Amount = ({ of, value }: { of: string; value: string | null }) => (
  <span class={value === null ? 'unknown' : undefined} data-of={of}>
    <Decimal text={value ?? 'unknown'} />
  </span>
);

/** Adds a minus sign, except to zero. */
const subtracted = (amount: string | null) => (amount !== null && /[1-9]/.test(amount) ? `−${amount}` : amount);

const Calculation = ({ step }: { step: Step | undefined }) =>
  step ? <p class="calculation">{calculationOf(step)}</p> : null;

const calculationOf = ({ expression, exact, result, rule }: Step) =>
  `${[...new Set([expression, exact, result])].join(' → ')}  ${rule}`;
