import { newOrderId } from 'sales-order-intake';
import { EXIT, type ExitCode, unknownWord } from '../problem.js';
import type { Invocation } from '../arguments/invocation.js';
import { PLAIN_TEMPLATE, TEMPLATES } from '../files/mapping-templates.js';

export async function run({ operands: [name], terminal: { out, err } }: Invocation): Promise<ExitCode> {
  const names = Object.keys(TEMPLATES);
  if (name !== undefined && !names.includes(name))
    throw unknownWord(`there is no mapping ${name}; there are ${names.join(', ')}`, name, names);
  const { '//': about, $schema, ...rest } = name ? TEMPLATES[name as keyof typeof TEMPLATES] : PLAIN_TEMPLATE;
  const namespace = 'Made for you: the Ids of all orders are derived from it. Store this file, and never change it.';
  const mapping = { $schema, '//': { ...about, namespace }, namespace: newOrderId(), ...rest };
  out.line(JSON.stringify(mapping, null, 2));
  if (err.isTerminal) err.line(err.style('dim', 'Store it in a file: mapping NAME > mapping.json'));
  return EXIT.done;
}
