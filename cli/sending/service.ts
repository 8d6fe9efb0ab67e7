import { OptionError } from 'sales-order-intake';
import { parseBaseUrl } from '../../www/options/base-url.js';
import { type Problem, usageProblem } from '../problem.js';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { ClientOptions } from 'sales-order-intake/client';
import type { Invocation } from '../arguments/invocation.js';

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

const VARIABLE = 'SALES_ORDER_INTAKE_TOKEN';
const WAYS = `Set ${VARIABLE}, or use --token-file FILE or --token-command COMMAND.`;
const COMMAND_MS = 30_000;
/** The limit of the client is longer, so that the error says what became of the command. */
export const tokenTimeoutMs = COMMAND_MS + 5000;

/** Where the token comes from. A file is read, and a command is run, again if the service refuses the token. */
export async function tokenOf(invocation: Invocation): Promise<ClientOptions['token']> {
  const [file, command] = [invocation.text('token-file'), invocation.text('token-command')];
  if (file !== undefined && command !== undefined)
    throw usageProblem('--token-file and --token-command exclude each other');
  if (file !== undefined) return provided(() => fromFile(file));
  if (command !== undefined) return provided(() => fromCommand(command));
  const token = invocation.variable(VARIABLE);
  if (token === undefined) throw usageProblem('there is no token', WAYS);
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

/** The shell of a platform, and its arguments that run a command as the user wrote it. */
export function shellOf(command: string, isWindows = process.platform === 'win32', env = process.env) {
  return isWindows
    ? // cmd.exe takes away the outer quotes, and only those. Node would escape the inner ones, which it does not know.
      { file: env.ComSpec ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${command}"`], windowsVerbatimArguments: true }
    : { file: '/bin/sh', args: ['-c', command], windowsVerbatimArguments: false };
}

/** Errors never have the command's output: it may have the token. */
function fromCommand(command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { file, args, ...options } = shellOf(command);
    const child = execFile(file, args, { ...options, timeout: COMMAND_MS, killSignal: 'SIGKILL' }, (error, stdout) => {
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
