import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { OptionError } from 'sales-order-intake';
import type { ClientOptions } from 'sales-order-intake/client';
import { parseBaseUrl } from '../../pkg-template/src/options/base-url.js';
import { isToken } from '../../pkg-template/src/options/check.js';
import type { Invocation } from './invocation.js';
import { usageProblem } from '../problem.js';

const VARIABLE = 'SALES_ORDER_INTAKE_TOKEN';
const WAYS = `Set ${VARIABLE}, or use --token-file FILE or --token-command COMMAND.`;
const COMMAND_MS = 30_000;
/** The limit of the client is longer, so that the error says why the command failed. */
export const tokenTimeoutMs = COMMAND_MS + 5000;

/** Returns the value of `--base-url` with a slash at its end, as the client checks it (D37). */
export function baseUrlOf(invocation: Invocation): string {
  const text = invocation.text('base-url');
  if (text === undefined) throw usageProblem(`${invocation.command} needs --base-url URL, the base URL of the service`);
  try {
    return parseBaseUrl(text);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    const problem = error.message.replace('option /baseUrl', '--base-url');
    throw usageProblem(problem.replace('use options.token', 'the token comes from elsewhere'));
  }
}

/**
 * Returns the token, or a function that provides it by reading the file or running the command, again if the service refuses
 * the token.
 *
 * @param onFailed Called with the reason if the function fails.
 */
export async function tokenOf(
  invocation: Invocation,
  onFailed: (problem: unknown) => void = () => {},
): Promise<ClientOptions['token']> {
  const [file, command] = [invocation.text('token-file'), invocation.text('token-command')];
  if (file !== undefined && command !== undefined)
    throw usageProblem('--token-file and --token-command exclude each other');
  if (file === undefined && command === undefined) {
    const token = invocation.variable(VARIABLE);
    if (token === undefined) throw usageProblem('there is no token', WAYS);
    return checked(token.trim(), VARIABLE);
  }
  const read = () => (command === undefined ? fromFile(String(file)) : fromCommand(command));
  // Now, so that a mistake is found before anything is sent.
  let first: string | undefined = await read();
  return async () => {
    const token = first ?? read();
    first = undefined;
    try {
      return await token;
    } catch (error) {
      onFailed(error);
      throw error;
    }
  };
}

async function fromFile(file: string): Promise<string> {
  return checked(await fileText(file), file);
}

/** Returns the text of a file without white space around it. @throws Problem if it can't be read. */
export async function fileText(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usageProblem(error.code === 'ENOENT' ? `there is no file ${file}` : `${file} can't be read: ${error.code}`);
  });
  return text.trim();
}

/** Errors never have the command's output: it may have the token. */
async function fromCommand(command: string): Promise<string> {
  const { file, args, ...options } = shellOf(command);
  const running = promisify(execFile)(file, args, { ...options, timeout: COMMAND_MS, killSignal: 'SIGKILL' });
  running.child.stderr?.pipe(process.stderr);
  const { stdout } = await running.catch(({ killed, code, signal }) => {
    const problem = killed ? `took longer than ${COMMAND_MS / 1000} s` : `ended with ${code ?? signal}`;
    throw usageProblem(`--token-command ${problem}`);
  });
  return checked(stdout.trim(), 'the output of --token-command');
}

/** The shell of a platform, and its arguments that run a command as the user wrote it. */
export function shellOf(command: string, isWindows = process.platform === 'win32', env = process.env) {
  return isWindows
    ? // cmd.exe removes only the outer quotes. Node would escape the inner ones, which cmd.exe does not understand.
      { file: env.ComSpec ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${command}"`], windowsVerbatimArguments: true }
    : { file: '/bin/sh', args: ['-c', command], windowsVerbatimArguments: false };
}

function checked(token: string, source: string): string {
  if (isToken(token)) return token;
  const problem = token === '' ? 'is empty' : "is not a token: it must be one word of ASCII, without 'Bearer'";
  throw usageProblem(`${source} ${problem}`);
}
