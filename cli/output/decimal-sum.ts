/**
 * Adds decimals exactly, whatever their scales. The package adds within an order; adding over many
 * orders is not one of its rules, and rounds nothing.
 */
export class DecimalSum {
  /** How many decimals were added. */
  count = 0;
  /** In units of the last digit: the sum times ten to the power of `#scale`. */
  #units = 0n;
  #scale = 0;

  /** @param decimal As the package writes amounts: "12.50", without exponent. */
  add(decimal: string): void {
    const [whole = '', fraction = ''] = decimal.split('.');
    const scale = Math.max(this.#scale, fraction.length);
    const raised = (units: bigint, from: number) => units * 10n ** BigInt(scale - from);
    this.#units = raised(this.#units, this.#scale) + raised(BigInt(whole + fraction), fraction.length);
    this.#scale = scale;
    this.count++;
  }

  /** The sum, with as many fraction digits as the decimal that has the most. */
  get text(): string {
    const sign = this.#units < 0n ? '-' : '';
    const digits = String(this.#units)
      .slice(sign.length)
      .padStart(this.#scale + 1, '0');
    const point = digits.length - this.#scale;
    return sign + digits.slice(0, point) + (this.#scale > 0 ? `.${digits.slice(point)}` : '');
  }
}
