import { EVM_LEVELS } from '../../../src/protocol/rules/evm-level.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { Random } from '../../nodes/execution/differential/random.ts';
import { type Case, CONTRACTS, type Report } from './case.ts';
import { generateCase } from './generate.ts';
import { runLibrary } from './library.ts';
import { runOurs } from './ours.ts';

/** A case on which both sides differ, made small. */
export interface Difference {
  readonly seed: number;
  readonly smallest: Case;
  readonly ours: Report | string;
  readonly library: Report | string;
}

type Run = (each: Case) => Report | Promise<Report>;

/**
 * Compares generated cases from a seed on. Returns the first difference, with the smallest programs that show it, or
 * with the first ones.
 */
export async function compareFrom(
  seed: number,
  count: number,
  ours: Run = (each) => runOurs(each),
  programs: 'smallest' | 'first' = 'smallest',
): Promise<Difference | undefined> {
  for (let at = seed; at < seed + count; at++) {
    const each = caseOf(at);
    if (await agree(each, ours)) continue;
    const differs = async (smaller: Case) => !(await agree(smaller, ours));
    const smallest = programs === 'smallest' ? await minimise(each, differs) : each;
    return { seed: at, smallest, ours: await reportOf(smallest, ours), library: await reportOf(smallest, runLibrary) };
  }
  return undefined;
}

/** Returns the case of a seed. */
export function caseOf(seed: number): Case {
  return generateCase(new Random(seed), EVM_LEVELS[seed % EVM_LEVELS.length]!);
}

async function agree(each: Case, ours: Run): Promise<boolean> {
  const [mine, other] = [await reportOf(each, ours), await reportOf(each, runLibrary)];
  return textOf(mine) === textOf(other);
}

async function reportOf(each: Case, run: Run): Promise<Report | string> {
  try {
    return await run(each);
  } catch (error) {
    return `failed: ${(error as Error).message}`;
  }
}

const textOf = (value: unknown) =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? each.toString() : each), 1);

const JUMPDEST = 0x5b;

/**
 * Removes parts of the codes, of halving size, as long as the case still differs, until none can go.
 * A part that jumps lead over becomes JUMPDESTs, which keep the places of what follows.
 */
async function minimise(each: Case, differs: (smaller: Case) => Promise<boolean>): Promise<Case> {
  let smallest = each;
  for (let before: Case | undefined; before !== smallest; ) {
    before = smallest;
    for (const address of CONTRACTS) smallest = await minimiseCode(smallest, address, differs);
  }
  return smallest;
}

async function minimiseCode(each: Case, address: Hex, differs: (smaller: Case) => Promise<boolean>): Promise<Case> {
  const codeOf = (one: Case) => one.accounts.get(address)!.code;
  let smallest = each;
  for (let size = codeOf(each).length; size >= 1; size = Math.floor(size / 2))
    for (let at = 0; at < codeOf(smallest).length; ) {
      const code = codeOf(smallest);
      const [before, part, after] = [code.subarray(0, at), code.subarray(at, at + size), code.subarray(at + size)];
      const removed = withCode(smallest, address, [...before, ...after]);
      const isPlain = part.every((byte) => byte === JUMPDEST);
      const blank = withCode(smallest, address, [...before, ...part.map(() => JUMPDEST), ...after]);
      if (await differs(removed)) smallest = removed;
      else {
        if (!isPlain && (await differs(blank))) smallest = blank;
        at += size;
      }
    }
  return smallest;
}

function withCode(each: Case, address: Hex, code: readonly number[]): Case {
  const account = { ...each.accounts.get(address)!, code: Uint8Array.from(code) };
  return { ...each, accounts: new Map([...each.accounts, [address, account]]) };
}

/** Renders a difference with what is needed to run it again. */
export function showDifference({ seed, smallest, ours, library }: Difference): string {
  const codes = CONTRACTS.map((at) => `  ${at} ${Buffer.from(smallest.accounts.get(at)!.code).toString('hex')}`);
  const head = `seed ${seed}, ${smallest.level}, gas ${smallest.gas}, value ${smallest.value}`;
  return [head, ...codes, `ours ${textOf(ours)}`, `library ${textOf(library)}`].join('\n');
}
