#!/usr/bin/env node
import { commandNames, isCommand } from './arguments/command-table.js';
import { EXIT, type ExitCode, Problem, unknownWord, usageProblem } from './problem.js';
import { type Invocation, parseInvocation } from './arguments/invocation.js';
import { CALLED, commandHelp, generalHelp, packageVersion } from './arguments/program.js';
import { endProgress } from './output/progress.js';
import { printError, terminal, type Terminal } from './output/terminal.js';

interface Command {
  run(invocation: Invocation): Promise<ExitCode>;
}

/** Commands whose output is not their result. */
const DOING = ['send', 'relay', 'mcp', 'serve'];

const tty = terminal();
// The error may come after the last line.
process.on('exit', () => {
  if (tty.out.hasFailed && !DOING.includes(process.argv[2] ?? '')) process.exitCode ||= EXIT.invalid;
});
process.exitCode = await main(process.argv.slice(2), tty).catch((error: unknown) => failed(error, tty));
endProgress();

async function main(args: string[], { out, err }: Terminal): Promise<ExitCode> {
  const [name = '', ...rest] = args;
  if (['--version', '-V'].includes(name)) return printed(packageVersion());
  if (['--help', '-h', 'help'].includes(name)) {
    const [about] = rest;
    if (about === undefined || about.startsWith('-')) return printed(generalHelp(out));
    if (!isCommand(about)) throw unknownCommand(about);
    return printed(commandHelp(about, out));
  }
  if (name === '') {
    err.line(generalHelp(err));
    return EXIT.usage;
  }
  if (!isCommand(name)) throw unknownCommand(name);
  const invocation = parseInvocation(name, rest, tty);
  if (invocation.has('help')) return printed(commandHelp(name, out));
  // Loaded when it runs: help and errors do not wait for the core or the outbox. The build writes a module for each command.
  const { run } = (await import(new URL(`commands/${name}.js`, import.meta.url).href)) as Command;
  return run(invocation);

  function printed(text: string): ExitCode {
    out.line(text);
    return EXIT.done;
  }
}

function unknownCommand(name: string): Problem {
  const hint = `${CALLED} --help lists the commands.`;
  if (name.startsWith('-')) return usageProblem(`there is no flag ${name}`, hint);
  return unknownWord(`there is no command ${name}`, name, commandNames, hint);
}

/** Prints an error without a stack trace. An error of the program itself shows its origin if DEBUG is set. */
function failed(error: unknown, terminal: Terminal): ExitCode {
  if (error instanceof Problem) {
    printError(terminal, error.message, error.hint);
    return error.exitCode;
  }
  const { name = 'Error', message = String(error), stack } = (error ?? {}) as Partial<Error>;
  printError(terminal, `${name}: ${message}`, 'This is a fault of the program. DEBUG=1 shows where it happened.');
  if (terminal.env.DEBUG && stack) terminal.err.line(stack);
  return EXIT.invalid;
}
