import { OptionError } from 'sales-order-intake';
import { parseBaseUrl } from '../../www/options/base-url.js';
import { usageProblem } from '../problem.js';

/** Returns the base URL with a slash at its end, as the client checks it (D37). */
export function checkedBaseUrl(text: string): string {
  try {
    return parseBaseUrl(text);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    throw usageProblem(
      error.message
        .replace('option /baseUrl', '--base-url')
        .replace('use options.token', 'the token comes from elsewhere'),
    );
  }
}
