import type { Invocation } from '../arguments/invocation.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { bashCompletion } from '../arguments/completion/bash.js';
import { fishCompletion } from '../arguments/completion/fish.js';
import { zshCompletion } from '../arguments/completion/zsh.js';
import { nearestWord } from '../arguments/nearest-word.js';
import { usageProblem } from '../problem.js';

const SHELLS: Record<string, () => string> = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

export async function run(invocation: Invocation): Promise<ExitCode> {
  const shell = invocation.operand;
  const completion = SHELLS[shell];
  if (!completion) {
    const meant = nearestWord(shell, Object.keys(SHELLS));
    throw usageProblem(
      `there is no completion for ${shell}: it is bash, zsh or fish`,
      meant && `Did you mean ${meant}?`,
    );
  }
  invocation.terminal.out.line(completion());
  return EXIT.done;
}
