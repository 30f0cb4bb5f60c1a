import { EXIT, Failure } from '../../system/failure.ts';
import type { StepResult } from './result.ts';
import type { Evidence } from './step.ts';

/** Returns the evidence of a step that ran others. @throws Failure `inner` with it where one of them failed */
export function failedOf(steps: readonly StepResult[]): Evidence {
  const failed = steps.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return { steps };
  const [first] = failed;
  throw new Failure('inner', `${first?.step}: ${String(first?.evidence['error'])}`, {
    exit: EXIT.failed,
    data: { steps },
  });
}
