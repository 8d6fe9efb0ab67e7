import { newOrderId } from 'sales-order-intake';
import { EXIT, type ExitCode, unknownWord } from '../problem.js';
import type { Invocation } from '../arguments/invocation.js';
import { mappingText, TEMPLATE_NAMES } from '../files/mapping-templates.js';

export async function run({ operands: [name], terminal: { out, err } }: Invocation): Promise<ExitCode> {
  if (name !== undefined && !TEMPLATE_NAMES.includes(name))
    throw unknownWord(`there is no mapping ${name}; there are ${TEMPLATE_NAMES.join(', ')}`, name, TEMPLATE_NAMES);
  out.line(mappingText(name, newOrderId()));
  if (err.isTerminal) err.line(err.style('dim', 'Store it in a file: mapping NAME > mapping.json'));
  return EXIT.done;
}
