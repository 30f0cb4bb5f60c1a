import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of half a minute or more on two busy cores, longest first. */
export const LONG_FILES: readonly string[] = [
  'scenarios',
  'health',
  'tools',
  'forks',
  'revert',
  'withdrawals',
  'wrong-answers',
  'faults',
  'attach',
  'package',
  'batch-data',
  'changes',
  'lifecycle',
  'handover',
  'warp',
].map((name) => join(import.meta.dirname, 'e2e', `${name}.test.ts`));

/** Sorts the longest files to the front, and keeps the order of the others. */
export function longestFirst<File extends { readonly moduleId: string }>(files: readonly File[]): File[] {
  const rank = ({ moduleId }: File) => LONG_FILES.indexOf(moduleId) + 1 || LONG_FILES.length + 1;
  return files.toSorted((left, right) => rank(left) - rank(right));
}

/**
 * Starts the longest files first, so that none of them runs alone at the end. Without times of an earlier run, as in a
 * new clone, the runner starts the largest files first.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longestFirst(await super.sort(files));
  }
}
