import { EXIT, Failure } from '../../system/failure.ts';
import type { Evidence, StepResult } from './step.ts';

/**
 * Returns the evidence of a step that ran others. The state of the network stands in it once: as it was when the first
 * of them failed.
 * @throws Failure `inner` with it if one of them failed
 */
export function failedOf(steps: readonly StepResult[]): Evidence {
  const failed = steps.filter(({ status }) => status === 'failed');
  const [first] = failed;
  if (first === undefined) return { steps };
  const words = failed.map(({ number, step, evidence }) => `${number} ${step}: ${String(evidence['error'])}`);
  const keys = ['phase', 'nodes', 'problems'];
  const state = Object.entries(first.evidence).filter(([key]) => keys.includes(key));
  const inner = steps.map((step) => ({
    ...step,
    evidence: Object.fromEntries(Object.entries(step.evidence).filter(([key]) => !keys.includes(key))),
  }));
  throw new Failure('inner', words.join('\n'), {
    exit: EXIT.failed,
    data: { steps: inner, ...Object.fromEntries(state) },
  });
}
