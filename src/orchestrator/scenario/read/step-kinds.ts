import type { StepKind } from '../step.ts';
import * as registry from './step-registry.ts';

/** Every kind of step. */
export const STEPS: readonly StepKind[] = Object.values(registry);

/** Finds a kind of step by its name. */
export function stepKind(name: string): StepKind | undefined {
  return STEPS.find((kind) => kind.name === name);
}
