/** The options that the fast lane knows; others are for the general path. */
import { isRecord } from './writer.js';

export interface Setting {
  version: 'v2' | 'v3';
  scale: number;
  rounding: 'half-up' | 'half-even' | 'half-down';
  /** Scale and rounding as the core takes them (wasm/src/exchange.rs). */
  code: number;
}

/** In the order of the core (src/decimal/rounding.rs). */
const ROUNDINGS = ['half-up', 'half-even', 'half-down'];
const MAX_SCALE = 4;
const DEFAULT: Setting = { version: 'v3', scale: 2, rounding: 'half-up', code: 3 };

/** Returns true for a valid option that changes nothing for a plain order: it has no discount and no empty taxes. */
function isWithoutEffect(name: string, value: unknown): boolean {
  if (name === 'locationTaxPricing') return value === null || value === 'Exclusive';
  if (name === 'records') return value === 'strict';
  if (name !== 'discountValueTypes' || !isRecord(value)) return false;
  const { amount, percent } = value;
  const areTypes =
    typeof amount === 'string'
      ? typeof percent === 'string'
      : Number.isSafeInteger(amount) && Number.isSafeInteger(percent);
  return areTypes && amount !== percent && Object.keys(value).length === 2;
}

/** Returns null if an option is set that the lane does not know. A getter or a proxy of the options may throw. */
export function settingOf(options: unknown): Setting | null {
  if (options === undefined) return DEFAULT;
  if (!isRecord(options)) return null;
  const setting: Record<string, unknown> = { ...DEFAULT };
  for (const name in options) {
    const value = options[name];
    if (value === undefined) continue;
    if (name === 'version' || name === 'scale' || name === 'rounding') setting[name] = value;
    else if (!isWithoutEffect(name, value)) return null;
  }
  const { version, scale, rounding } = setting as unknown as Setting;
  const mode = ROUNDINGS.indexOf(rounding);
  const isScale = typeof scale === 'number' && scale >>> 0 === scale && scale <= MAX_SCALE;
  if ((version !== 'v2' && version !== 'v3') || !isScale || mode < 0) return null;
  return { version, scale: scale >>> 0, rounding, code: 1 + scale + 8 * mode };
}

export function jsonOf({ version, scale, rounding }: Setting): string {
  return `{"version":"${version}","scale":${scale},"rounding":"${rounding}"}`;
}
