import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { ClientOptions } from 'sales-order-intake/client';
import type { Invocation } from '../arguments/invocation.js';
import { type Problem, usageProblem } from '../problem.js';

const VARIABLE = 'SALES_ORDER_INTAKE_TOKEN';
const WAYS = `Set ${VARIABLE}, or use --token-file FILE or --token-command COMMAND.`;
const COMMAND_MS = 60_000;

/** Where the token comes from. A file is read, and a command is run, again if the service refuses the token. */
export async function tokenOf(invocation: Invocation): Promise<ClientOptions['token']> {
  const [file, command] = [invocation.text('token-file'), invocation.text('token-command')];
  if (file !== undefined && command !== undefined)
    throw usageProblem('--token-file and --token-command exclude each other');
  if (file !== undefined) return provided(() => fromFile(file));
  if (command !== undefined) return provided(() => fromCommand(command));
  const token = invocation.terminal.env[VARIABLE];
  if (!token) throw usageProblem('there is no token', WAYS);
  return checked(token.trim(), VARIABLE);
}

/** Asks for the first token now, so that a mistake is found before anything is sent. */
async function provided(read: () => Promise<string>): Promise<ClientOptions['token']> {
  let first: string | undefined = await read();
  return async () => {
    const token = first ?? (await read());
    first = undefined;
    return token;
  };
}

async function fromFile(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usageProblem(error.code === 'ENOENT' ? `there is no file ${file}` : `${file} can't be read: ${error.code}`);
  });
  return checked(text.trim(), file);
}

/** Errors never have the command's output: it may have the token. */
function fromCommand(command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const isWindows = process.platform === 'win32';
    const [shell, flag] = isWindows ? [process.env.ComSpec ?? 'cmd.exe', '/c'] : ['/bin/sh', '-c'];
    const child = execFile(shell, [flag, command], { timeout: COMMAND_MS }, (error, stdout) => {
      if (!error) {
        try {
          resolve(checked(stdout.trim(), 'the output of --token-command'));
        } catch (problem) {
          reject(problem as Problem);
        }
        return;
      }
      const how = error.killed ? `took longer than ${COMMAND_MS / 1000} s` : `ended with ${error.code ?? error.signal}`;
      reject(usageProblem(`--token-command ${how}`));
    });
    child.stderr?.pipe(process.stderr);
  });
}

function checked(token: string, source: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  const problem = token === '' ? 'is empty' : "is not a token: it must be one word of ASCII, without 'Bearer'";
  throw usageProblem(`${source} ${problem}`);
}
