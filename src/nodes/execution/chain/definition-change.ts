import { isDeepStrictEqual } from 'node:util';
import { EXIT, Failure } from '../../../system/failure.ts';
import type { ChainDefinition } from './genesis.ts';

/** Activation times by fork, Unix seconds. */
export type ForkTimes = Readonly<Record<string, number | undefined>>;

interface Head {
  readonly number: number;
  readonly timestamp: bigint;
}

/** Fork times beside a genesis file. */
interface BesideFile {
  /** Times by which the blocks of the datadir were executed; undefined: those of its genesis file. */
  readonly executed: ForkTimes | undefined;
  /** Times that options set. They hold instead of those of the file. */
  readonly overrides: ForkTimes;
}

/**
 * Checks that a genesis file does not change a fork time by which blocks were executed (geth: `CheckCompatible`).
 * The file may change a time that options set, on both sides.
 * @throws Failure `genesis-mismatch` naming the difference
 */
export function checkDefinition(
  stored: ChainDefinition,
  next: ChainDefinition,
  { executed, overrides }: BesideFile,
  head: Head,
  datadir: string,
): void {
  if (head.number === 0) return;
  const was: ForkTimes = stored.ethereum?.schedule ?? executed ?? stored.schedule;
  const is: ForkTimes = next.ethereum?.schedule ?? { ...next.schedule, ...overrides };
  const fork = movedFork(was, is, Number(head.timestamp));
  if (fork !== undefined) {
    const source = overrides[fork] === undefined ? 'the genesis file says' : 'the options now set';
    throw mismatch(datadir, `${executedText(head, fork, was)}, ${source} ${timeIn(is, fork)}`);
  }
  if (!isDeepStrictEqual(stored.optimism, next.optimism))
    throw mismatch(datadir, `its blocks up to ${head.number} were executed with another config.optimism`);
}

/**
 * Checks the fork times in force, with the overrides of the options.
 * `was` holds the times by which the blocks of the datadir were executed.
 * @throws Failure `genesis-mismatch` naming the difference
 */
export function checkForkTimes(
  was: ForkTimes,
  is: ForkTimes,
  { genesis, head }: { readonly genesis: Head; readonly head: Head },
  datadir: string,
): void {
  // A fork before the genesis block is in force from that block on.
  const counted = (times: ForkTimes): ForkTimes =>
    Object.fromEntries(
      Object.entries(times).map(([fork, time]) => [
        fork,
        time === undefined ? time : Math.max(time, Number(genesis.timestamp)),
      ]),
    );
  const fork = head.number === 0 ? undefined : movedFork(counted(was), counted(is), Number(head.timestamp));
  if (fork !== undefined)
    throw mismatch(datadir, `${executedText(head, fork, was)}, the options now set ${timeIn(is, fork)}`);
}

/** Returns a fork whose time changed and that would be active at `time` under one of the two. */
function movedFork(was: ForkTimes, is: ForkTimes, time: number): string | undefined {
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].find(
    (fork) => was[fork] !== is[fork] && Math.min(was[fork] ?? time + 1, is[fork] ?? time + 1) <= time,
  );
}

const timeIn = (times: ForkTimes, fork: string): string => String(times[fork] ?? 'no time');
const executedText = ({ number }: Head, fork: string, was: ForkTimes): string =>
  `its blocks up to ${number} were executed with ${fork} at ${timeIn(was, fork)}`;

function mismatch(datadir: string, difference: string): Failure {
  return new Failure(
    'genesis-mismatch',
    `the datadir ${datadir} holds a chain that was executed with other rules: ${difference}`,
    {
      data: { datadir },
      exit: EXIT.usage,
      hint: 'rewind to an earlier block (execution-client rewind --datadir=DIR NUMBER) or use another --datadir',
    },
  );
}
