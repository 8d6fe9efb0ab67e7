/** Evaluates the order of the form after each change, with the package's evaluator. */
import { useMemo } from 'preact/hooks';
import { createEvaluator, OptionError, type Evaluation, type PreviewOptions } from 'sales-order-intake/slim';
import { useDeferredValue } from './memo';
import { optionsOf, orderOf, type Draft } from './draft';
import { optionIssue, type PageIssue } from './issues';

export interface DraftEvaluator {
  evaluate(draft: Draft): Evaluation;
  /** Options that are left out because they are not valid yet. */
  optionIssues: PageIssue[];
}

/**
 * Creates an evaluator for the drafts with these options. A tax rate that is being typed may not be valid yet: then there is
 * no estimate, and an issue at the field says why.
 */
export function createDraftEvaluator(options: PreviewOptions): DraftEvaluator {
  const { taxRates: _, ...withoutRates } = options;
  try {
    return evaluatorOf(options, []);
  } catch (error) {
    if (!(error instanceof OptionError) || !error.option.startsWith('/taxRates/')) throw error;
    return evaluatorOf(withoutRates, [rateIssue(error)]);
  }
}

function evaluatorOf(options: PreviewOptions, optionIssues: PageIssue[]): DraftEvaluator {
  const evaluate = createEvaluator(options);
  return { evaluate: (draft) => evaluate(orderOf(draft)), optionIssues };
}

/** Returns the issue of an invalid rate, a warning, because rates are not sent. */
function rateIssue({ option, message }: OptionError): PageIssue {
  const [, , index, member = 'rate'] = option.split('/');
  return { ...optionIssue(`/rates/${index}/${member}`, `No estimate: ${message}`), severity: 'warning' };
}

/**
 * Evaluates the draft once after each change, in its own task: `evaluated` may be one change behind, and `evaluator` has
 * the options of the draft. Both are null until the core runs.
 */
export function useEvaluation(draft: Draft, explain: boolean, isRunning: boolean) {
  const options = JSON.stringify(optionsOf(draft, explain));
  const evaluator = useMemo(
    () => (isRunning ? createDraftEvaluator(JSON.parse(options) as PreviewOptions) : null),
    [options, isRunning],
  );
  const input = useDeferredValue(useMemo(() => ({ draft, evaluator }), [draft, evaluator]));
  const evaluated = useMemo(() => {
    if (!input.evaluator) return null;
    const { evaluate, optionIssues } = input.evaluator;
    return { evaluation: evaluate(input.draft), optionIssues };
  }, [input]);
  return { evaluator, evaluated };
}
