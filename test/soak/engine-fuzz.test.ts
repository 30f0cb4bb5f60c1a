import { it } from 'vitest';
import { fuzz } from '../nodes/execution/support/fuzz/fuzz.ts';
import { CASES, expectHarmless, SEED } from './fuzz-run.ts';

it(`the Engine API answers ${CASES} mutated requests rightly, and the valid one after each, in the same memory`, () =>
  expectHarmless((progress) => fuzz(SEED, CASES, progress), 0.2));
