import { HISTORY_STORAGE_ADDRESS } from '../../../../../src/protocol/execution/predeploys.ts';
import type { EvmLevel } from '../../../../../src/protocol/rules/rules.ts';
import { type Alloc, systemContracts } from '../../support/genesis.ts';
import { syntheticBlock } from '../block.ts';
import { type Difference, differences } from '../compare.ts';
import { type Coverage, newCoverage } from '../coverage.ts';
import { atLevel } from '../level.ts';
import { libraryRunner } from '../library.ts';
import { ourExecutor } from '../ours.ts';
import { plainRules } from '../run.ts';
import { type Placed, place } from './place.ts';
import type { Program } from './program.ts';
import { smallest } from './shrink.ts';

/** Programs of one block: each has its place in it. */
const PER_BLOCK = 16;
/** Far enough from the genesis that BLOCKHASH has 256 ancestors. */
const BLOCK = 300;

export interface DirectedFinding {
  readonly programs: number;
  /** What the library executed. */
  readonly coverage: Coverage;
  /** undefined: both agree on all programs. */
  readonly failure?: { readonly program: Program; readonly differences: readonly Difference[] };
}

/** Runs programs on our executor and on the EVM library, and shrinks the first one on which they differ. */
export async function directedAgainstLibrary(
  level: EvmLevel,
  programs: readonly Program[],
  options: { readonly pointEvaluation: boolean },
): Promise<DirectedFinding> {
  const coverage = newCoverage();
  const count = programs.length;
  for (let at = 0; at < programs.length; at += PER_BLOCK) {
    const part = programs.slice(at, at + PER_BLOCK);
    const differ = (some: readonly Program[]) => differencesOf(level, some, { ...options, coverage });
    const found = await differ(part);
    if (found.length === 0) continue;
    const owners = part.flatMap((program) => (program.isRepeated ? [program, program] : [program]));
    const suspects = new Set(found.flatMap(({ transaction }) => (transaction === null ? [] : owners[transaction]!)));
    for (const suspect of [...suspects, ...part]) {
      if ((await differ([suspect])).length === 0) continue;
      const program = await smallest(suspect, async (one) => (await differ([one])).length > 0);
      return { programs: count, coverage, failure: { program, differences: await differ([program]) } };
    }
    // No single program differs on its own.
    return { programs: count, coverage, failure: { program: part[0]!, differences: found } };
  }
  return { programs: count, coverage };
}

async function differencesOf(
  level: EvmLevel,
  programs: readonly Program[],
  options: { readonly pointEvaluation: boolean; readonly coverage: Coverage },
): Promise<Difference[]> {
  const placed = programs.map(place);
  const alloc = allocOf(level, placed);
  const transactions = placed.flatMap((one) => one.transactions);
  const ours = await ourExecutor(plainRules(level), alloc, [], { steps: true });
  const library = await libraryRunner(level, alloc, { ...options, steps: true, isCopied: true });
  const environment = syntheticBlock(BLOCK);
  const [mine, other] = [await ours.run(environment, transactions), await library.run(environment, transactions)];
  return differences(BLOCK, mine, other, library.name);
}

/** Returns the accounts of all programs, and the contract of EIP-2935. */
export function allocOf(level: EvmLevel, placed: readonly Placed[]): Alloc {
  const { [HISTORY_STORAGE_ADDRESS]: history } = systemContracts();
  const alloc: Alloc = Object.assign({}, ...placed.map((one) => one.alloc));
  return atLevel(level, 'prague') ? { ...alloc, [HISTORY_STORAGE_ADDRESS]: { code: history!.code! } } : alloc;
}
