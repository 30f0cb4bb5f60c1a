import { PREDEPLOYS } from '../../../../src/protocol/execution/predeploys.ts';
import { ethereumRulesAt, ethereumScheduleOf } from '../../../../src/protocol/forks/ethereum.ts';
import { type ForkName, rulesAt } from '../../../../src/protocol/forks/index.ts';
import { hexToBytes } from '../../../../src/protocol/hex.ts';
import type { EvmLevel, Rules } from '../../../../src/protocol/rules/rules.ts';
import { deposit } from '../support/driver.ts';
import { l1BlockStorage, upTo } from '../support/genesis.ts';
import { mineWithAnvil } from './anvil.ts';
import { syntheticBlock } from './block.ts';
import { type Difference, differences, runAgainst } from './compare.ts';
import { type Coverage, newCoverage } from './coverage.ts';
import { LEVELS } from './level.ts';
import { libraryRunner } from './library.ts';
import { ourExecutor } from './ours.ts';
import { type CorpusOptions, corpus } from './transactions.ts';

const PER_BLOCK = 100;

/**
 * Rules of plain Ethereum at an EVM level.
 * They collect no requests, because the corpus lacks those contracts.
 */
export function plainRules(level: EvmLevel): Rules {
  const config = Object.fromEntries(LEVELS.slice(1, LEVELS.indexOf(level) + 1).map((name) => [`${name}Time`, 0]));
  const rules = ethereumRulesAt(ethereumScheduleOf(config), 1);
  return { ...rules, ethereum: { ...rules.ethereum!, requests: false } };
}

export interface Finding {
  readonly transactions: number;
  readonly succeeded: number;
  readonly coverage: Coverage;
  readonly differences: readonly Difference[];
}

/** Compares our executor, the EVM library and anvil on plain Ethereum, in the blocks that anvil mined. */
export async function againstLibraryAndAnvil(
  seed: number,
  level: EvmLevel,
  count: number,
  options: Pick<CorpusOptions, 'pointEvaluation'> = {},
): Promise<Finding> {
  const { alloc, transactions } = corpus(seed, level, count, { p256: level === 'osaka', stranger: false, ...options });
  const mined = await mineWithAnvil(level, alloc, chunks(transactions, PER_BLOCK));
  const coverage = newCoverage();
  const ours = await ourExecutor(plainRules(level), alloc);
  const library = await libraryRunner(level, alloc, { coverage });
  let succeeded = 0;
  for (const block of mined) {
    const mine = await ours.run(block.environment, block.transactions);
    const other = await library.run(block.environment, block.transactions);
    succeeded += mine.outcomes.filter(({ status }) => status).length;
    const { number } = block.environment;
    const mismatches = [
      ...differences(number, mine, block.outcome, 'anvil'),
      ...differences(number, mine, other, library.name),
    ];
    if (mismatches.length > 0) return { transactions: count, succeeded, coverage, differences: mismatches };
  }
  return { transactions: count, succeeded, coverage, differences: [] };
}

/** Compares our executor with the EVM library on plain Ethereum. */
export async function againstLibrary(
  seed: number,
  level: EvmLevel,
  count: number,
  options: Parameters<typeof libraryRunner>[2] & Pick<CorpusOptions, 'pointEvaluation'> = {},
): Promise<Finding> {
  const { alloc, transactions } = corpus(seed, level, count, { p256: level === 'osaka', stranger: true, ...options });
  const coverage = options.coverage ?? newCoverage();
  const blocks = chunks(transactions, PER_BLOCK).map((part, at) => ({
    environment: syntheticBlock(at + 1),
    transactions: part,
  }));
  const ours = await ourExecutor(plainRules(level), alloc);
  const library = await libraryRunner(level, alloc, { ...options, coverage });
  return { transactions: count, succeeded: Number.NaN, coverage, differences: await runAgainst(ours, library, blocks) };
}

/**
 * Compares rollup rules with `anvil --network optimism`. A deposit opens each block.
 * The rollup of anvil begins and ends at isthmus and assumes the calldata floor earlier. A later fork is compared
 * without the operator fee, which anvil computes otherwise.
 */
export async function againstAnvilRollup(
  seed: number,
  fork: ForkName,
  count: number,
  options: { readonly operatorFee: boolean } & Pick<CorpusOptions, 'pointEvaluation'>,
): Promise<Finding> {
  const rules = rulesAt(upTo(fork), 1);
  const { alloc: plain, transactions } = corpus(seed, rules.evm, count, { ...options, p256: true, stranger: false });
  const alloc = { ...plain, [PREDEPLOYS.l1Block]: { code: '0x00', storage: l1BlockStorage(options.operatorFee) } };
  const echo = '0x000000000000000000000000000000000000ec40';
  const deposits = [hexToBytes(deposit({ mint: 10n ** 18n, value: 5n, to: echo, gas: 100_000, data: '0x1234' }))];
  const mined = await mineWithAnvil(fork, alloc, chunks(transactions, PER_BLOCK), {
    extra: ['--network', 'optimism'],
    deposits,
  });
  const ours = await ourExecutor(rules, alloc, deposits);
  let succeeded = 0;
  for (const { environment, transactions: list, outcome } of mined) {
    const mine = await ours.run(environment, list);
    succeeded += mine.outcomes.filter(({ status }) => status).length;
    const mismatches = differences(environment.number, mine, outcome, 'anvil --network optimism');
    if (mismatches.length > 0)
      return { transactions: count, succeeded, coverage: newCoverage(), differences: mismatches };
  }
  return { transactions: count, succeeded, coverage: newCoverage(), differences: [] };
}

/** Splits items into parts of one size, the last of which may be smaller. */
export function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  const parts: Item[][] = [];
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size));
  return parts;
}
