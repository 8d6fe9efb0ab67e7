import { OptionError } from 'sales-order-intake';
import { OutboxError } from 'sales-order-intake/outbox';
import { postgresSchema } from 'sales-order-intake/outbox/postgres';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Invocation } from '../arguments/invocation.js';
import { Problem, usageProblem } from '../problem.js';

/** Prints the SQL of an outbox in PostgreSQL, for the role that may create tables. */
export async function printSchema({ operands, terminal }: Invocation): Promise<ExitCode> {
  const [schema, unexpected] = operands;
  if (unexpected !== undefined) throw usageProblem(`outbox --schema does not take "${unexpected}"`);
  try {
    terminal.out.line(await postgresSchema({ schema }));
  } catch (error) {
    if (error instanceof OptionError) throw usageProblem(`the schema ${schema} must be a lower-case name`);
    if (error instanceof OutboxError) throw new Problem(error.message, EXIT.usage);
    throw error;
  }
  return EXIT.done;
}
