import type { EvmLevel } from '../../../../../src/protocol/rules/rules.ts';
import { mineWithAnvil } from '../anvil.ts';
import { syntheticBlock } from '../block.ts';
import { type Difference, differences } from '../compare.ts';
import { ourExecutor } from '../ours.ts';
import { chunks, plainRules } from '../run.ts';
import { allocOf } from './compare.ts';
import { place } from './place.ts';
import type { Program } from './program.ts';

/** Programs of one anvil, and of one of its blocks. */
const PER_ANVIL = 200;
const PER_BLOCK = 10;

export interface AnvilFinding {
  readonly programs: number;
  readonly differences: readonly (Difference & { readonly program: string })[];
}

/**
 * Runs programs on our executor and on anvil.
 * It leaves out invalid transactions, which anvil does not mine, delegations of accounts that do not exist, and roots,
 * which anvil computes with empty accounts.
 */
export async function directedAgainstAnvil(level: EvmLevel, programs: readonly Program[]): Promise<AnvilFinding> {
  const found: (Difference & { program: string })[] = [];
  let compared = 0;
  for (let at = 0; at < programs.length; at += PER_ANVIL) {
    const part = await validOf(level, programs.slice(at, at + PER_ANVIL));
    const placed = part.map(place);
    const alloc = allocOf(level, placed);
    const titles = new Map(placed.flatMap((one) => one.transactions.map((raw) => [raw, one.program.title] as const)));
    const ours = await ourExecutor(plainRules(level), alloc);
    for (const block of await mineWithAnvil(level, alloc, chunks([...titles.keys()], PER_BLOCK))) {
      const { environment, transactions, outcome } = block;
      compared += transactions.length;
      const mine = await ours.run(environment, transactions);
      for (const one of differences(environment.number, mine, outcome, 'anvil')) {
        const program = titles.get(transactions[one.transaction ?? 0]!)!;
        // Cumulative gas differs in all transactions that follow.
        if (one.transaction === null || one.what === 'cumulativeGasUsed') continue;
        found.push({ ...one, program });
      }
    }
  }
  return { programs: compared, differences: found };
}

/** For anvil every account exists, so it refunds the delegation of one that does not. */
function delegatesNew({ authorizations = [], delegated }: Program): boolean {
  return delegated?.F === undefined && authorizations.some(({ by }) => by === 'F');
}

/** Returns the programs whose transaction is valid. */
async function validOf(level: EvmLevel, all: readonly Program[]): Promise<Program[]> {
  const programs = all.filter((one) => !delegatesNew(one));
  const placed = programs.map(place);
  const ours = await ourExecutor(plainRules(level), allocOf(level, placed), [], { steps: true });
  const { outcomes } = await ours.run(
    syntheticBlock(1),
    placed.flatMap(({ transactions }) => transactions[0]!),
  );
  return programs.filter((_, at) => outcomes[at]?.isRejected !== true);
}
