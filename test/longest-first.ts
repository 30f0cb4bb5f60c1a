import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of 15 seconds or more on two busy cores, longest first. Those that share workers come last. */
export const LONG_FILES: readonly string[] = [
  'e2e/scenarios',
  'e2e/health',
  'e2e/package',
  'e2e/tools',
  'vectors/run',
  'e2e/revert',
  'e2e/attach',
  'e2e/withdrawals',
  'e2e/wrong-answers',
  'e2e/forks',
  'e2e/lifecycle',
  'e2e/faults',
  'e2e/batch-data',
  'orchestrator/mcp/mcp',
  'e2e/handover',
  'e2e/changes',
  'e2e/derivation',
  'e2e/warp',
  'nodes/execution/directed',
  'e2e/samples',
  'orchestrator/cli/commands',
  'nodes/rollup/scenario',
  'orchestrator/cli/names',
  'nodes/beacon/l1/replay',
  'nodes/rollup/options/derivation',
  'orchestrator/cli/snapshots',
  'orchestrator/cli/interrupts',
  'nodes/kzg/kzg',
  'nodes/rollup/sequencer/transitions',
  'orchestrator/cli/full-disk-change',
  'evm/machine/differential',
].map((name) => join(import.meta.dirname, `${name}.test.ts`));

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
