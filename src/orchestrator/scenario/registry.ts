import type { StepKind } from './step.ts';
import { exec } from './steps/exec.ts';
import { expect } from './steps/expect.ts';
import { node } from './steps/node.ts';
import { parallel } from './steps/parallel.ts';
import { repeat } from './steps/repeat.ts';
import { wait } from './steps/wait.ts';

/** Every kind of step, in the order of the page of all steps. */
export const STEPS: readonly StepKind[] = [wait, node, exec, expect, parallel, repeat];

/** Finds a kind of step by its name. */
export function stepKind(name: string): StepKind | undefined {
  return STEPS.find((kind) => kind.name === name);
}
