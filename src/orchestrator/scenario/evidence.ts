import { EXIT, Failure } from '../../system/failure.ts';
import type { Io } from '../terminal/io.ts';
import type { Evidence, Run, StepResult } from './step.ts';

/**
 * Runs a command's work with an output of its own. Its lines for people become the evidence. Ends when the processes
 * that it started are done with the present time.
 */
export async function outputEvidence(
  { io, time }: Pick<Run, 'io' | 'time'>,
  work: (io: Io) => Promise<unknown>,
): Promise<Evidence> {
  let output = '';
  const inner = { ...io, isTty: false, columns: () => undefined };
  await work({ ...inner, stdout: () => undefined, stderr: (text) => (output += text) });
  await time.settle();
  return { said: output.trim().split('\n') };
}

/**
 * Returns the evidence of a step that ran others. The state of the network stands in it once: as it was when the first
 * of them failed.
 * @throws Failure `inner` with it if one of them failed
 */
export function stepsEvidence(steps: readonly StepResult[]): Evidence {
  const failures = steps.filter(({ status }) => status === 'failed');
  const [first] = failures;
  if (first === undefined) return { steps };
  const words = failures.map(({ number, step, evidence }) => `${number} ${step}: ${String(evidence['error'])}`);
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
