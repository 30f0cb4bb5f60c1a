import { describe, expect, it } from 'vitest';
import { outputEvidence, stepsEvidence } from '../../../src/orchestrator/scenario/evidence.ts';
import type { StepResult } from '../../../src/orchestrator/scenario/step.ts';
import { fitToTerminal } from '../../../src/orchestrator/terminal/fit.ts';
import type { Io } from '../../../src/orchestrator/terminal/io.ts';
import { EXIT } from '../../../src/system/failure.ts';

describe('the evidence of steps within a step', () => {
  const step = (number: string, status: StepResult['status'], evidence = {}): StepResult => ({
    ...{ number, step: 'wait ready', status, seconds: 1, at: 'a.yaml:7', evidence },
  });

  it('is the list of them when none failed', () => {
    const steps = [step('1.1', 'passed', { phase: 'ready' }), step('1.2', 'skipped')];
    expect(stepsEvidence(steps)).toEqual({ steps });
  });

  it('has the state of the network at the first failure once, and the words of each failure', () => {
    const state = (at: string) => ({ phase: `phase ${at}`, nodes: [at], problems: [`problem ${at}`] });
    const steps = [
      step('1.1', 'passed', { block: 4 }),
      step('1.2', 'failed', { error: 'late', ...state('early') }),
      step('1.3', 'failed', { error: 'down', code: 1, ...state('later') }),
    ];
    expect(() => stepsEvidence(steps)).toThrow(
      expect.objectContaining({
        code: 'inner',
        exit: EXIT.failed,
        message: '1.2 wait ready: late\n1.3 wait ready: down',
        data: {
          steps: [
            steps[0],
            step('1.2', 'failed', { error: 'late' }),
            step('1.3', 'failed', { error: 'down', code: 1 }),
          ],
          ...state('early'),
        },
      }),
    );
  });
});

it('the evidence of a command is what it says to people, once its processes have settled', async () => {
  const events: string[] = [];
  const io: Io = {
    ...{ env: { A: '1' }, cwd: '/work', isTty: true, columns: () => 8 },
    stdout: () => events.push('stdout'),
    stderr: () => events.push('stderr'),
  };
  const time = { settle: async () => void events.push('settled') };
  const evidence = await outputEvidence({ io, time: time as never }, async (inner) => {
    inner.stdout('{}\n');
    inner.stderr('\na is stopped\n');
    inner.stderr(fitToTerminal(inner, 'b is stopped\n', 'stderr'));
    expect(inner).toMatchObject({ env: { A: '1' }, cwd: '/work', isTty: false });
    events.push('worked');
  });
  expect(evidence).toEqual({ said: ['a is stopped', 'b is stopped'] });
  expect(events).toEqual(['worked', 'settled']);
});
