import type { BlockEnvironment, BlockOutcome, Implementation, Outcome } from './block.ts';

/** A difference, with enough data to find its cause. */
export interface Difference {
  readonly block: number;
  readonly transaction: number | null;
  readonly what: string;
  readonly ours: unknown;
  readonly theirs: unknown;
  readonly oracle: string;
}

/** Returns the first differences of two outcomes of a block. */
export function differences(block: number, ours: BlockOutcome, theirs: BlockOutcome, oracle: string): Difference[] {
  const mismatches: Difference[] = [];
  ours.outcomes.forEach((outcome, transaction) => {
    const other = theirs.outcomes[transaction];
    for (const what of ['isRejected', 'status', 'gasUsed', 'cumulativeGasUsed', 'logs', 'contractAddress'] as const) {
      const [mine, its] = [textOf(outcome, what), other === undefined ? 'nothing' : textOf(other, what)];
      if (other?.[what] === undefined && what === 'contractAddress') continue;
      if (mine !== its) mismatches.push({ block, transaction, what, ours: mine, theirs: its, oracle });
    }
    const step = firstOtherStep(outcome.steps, other?.steps);
    if (step !== undefined) mismatches.push({ block, transaction, ...step, oracle });
  });
  if (theirs.stateRoot !== undefined && ours.stateRoot !== theirs.stateRoot)
    mismatches.push({
      block,
      transaction: null,
      what: 'stateRoot',
      ours: ours.stateRoot,
      theirs: theirs.stateRoot,
      oracle,
    });
  return mismatches;
}

/** Returns the first instruction that differs, where both report them. */
function firstOtherStep(ours: Outcome['steps'], theirs: Outcome['steps']) {
  if (ours === undefined || theirs === undefined) return undefined;
  for (let at = 0; at < Math.max(ours.length, theirs.length); at++)
    if (!isSameStep(ours[at], theirs[at]))
      return { what: `step ${at}`, ours: ours[at] ?? 'none', theirs: theirs[at] ?? 'none' };
  return undefined;
}

/** The EVM library reports each byte that is no opcode as INVALID. */
function isSameStep(ours: string | undefined, theirs: string | undefined): boolean {
  return ours === theirs || (theirs?.includes(' op fe ') === true && ours?.replace(/ op \w+ /, ' op fe ') === theirs);
}

function textOf(outcome: Outcome, what: keyof Outcome): string {
  if (what !== 'logs') return String(outcome[what]).toLowerCase();
  return JSON.stringify(outcome.logs.map(({ address, topics, data }) => [address, topics, data]));
}

/** Runs blocks on two implementations until the first block in which they differ. */
export async function runAgainst(
  ours: Implementation,
  theirs: Implementation,
  blocks: readonly { readonly environment: BlockEnvironment; readonly transactions: readonly Uint8Array[] }[],
): Promise<Difference[]> {
  for (const { environment, transactions } of blocks) {
    const [mine, other] = [await ours.run(environment, transactions), await theirs.run(environment, transactions)];
    const mismatches = differences(environment.number, mine, other, theirs.name);
    if (mismatches.length > 0) return mismatches;
  }
  return [];
}
