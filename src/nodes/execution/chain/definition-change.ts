import { isDeepStrictEqual } from 'node:util';
import { EXIT, Failure } from '../../../system/failure.ts';
import type { ChainDefinition } from './genesis.ts';

/** Unix seconds by fork. */
export type ForkTimes = Readonly<Record<string, number | undefined>>;

interface Head {
  readonly number: number;
  readonly timestamp: bigint;
}

/**
 * A genesis file of the same block may set other fork times than the one before it. That is well where no block has been executed by them.
 * @throws Failure `genesis-mismatch` naming what differs
 */
export function checkDefinition(stored: ChainDefinition, given: ChainDefinition, head: Head, datadir: string): void {
  if (head.number === 0) return;
  const [was, is] = [stored, given].map(({ ethereum, schedule }): ForkTimes => ethereum?.schedule ?? schedule) as [
    ForkTimes,
    ForkTimes,
  ];
  const fork = movedFork(was, is, Number(head.timestamp));
  if (fork !== undefined)
    throw mismatch(datadir, `${executed(head, fork, was)}, the genesis file says ${timeIn(is, fork)}`);
  if (!isDeepStrictEqual(stored.optimism, given.optimism))
    throw mismatch(datadir, `its blocks up to ${head.number} were executed with another config.optimism`);
}

/**
 * The same for the times in force, which options may override: `was` are those by which the datadir's blocks were executed.
 * @throws Failure `genesis-mismatch` naming what differs
 */
export function checkForkTimes(
  was: ForkTimes,
  is: ForkTimes,
  { genesis, head }: { readonly genesis: Head; readonly head: Head },
  datadir: string,
): void {
  // Whatever lies before the genesis block is in force from it on.
  const counted = (times: ForkTimes): ForkTimes =>
    Object.fromEntries(
      Object.entries(times).map(([fork, time]) => [
        fork,
        time === undefined ? time : Math.max(time, Number(genesis.timestamp)),
      ]),
    );
  const fork = head.number === 0 ? undefined : movedFork(counted(was), counted(is), Number(head.timestamp));
  if (fork !== undefined) throw mismatch(datadir, `${executed(head, fork, was)}, now it would be ${timeIn(is, fork)}`);
}

/** A fork whose time is another, and would have been in force by one of the two. */
function movedFork(was: ForkTimes, is: ForkTimes, time: number): string | undefined {
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].find(
    (fork) => was[fork] !== is[fork] && Math.min(was[fork] ?? time + 1, is[fork] ?? time + 1) <= time,
  );
}

const timeIn = (times: ForkTimes, fork: string): string => String(times[fork] ?? 'no time');
const executed = ({ number }: Head, fork: string, was: ForkTimes): string =>
  `its blocks up to ${number} were executed with ${fork} at ${timeIn(was, fork)}`;

function mismatch(datadir: string, difference: string): Failure {
  return new Failure('genesis-mismatch', `the datadir ${datadir} holds a chain of other rules: ${difference}`, {
    data: { datadir },
    exit: EXIT.usage,
    hint: 'take the chain back to the block before (execution-client rewind --datadir=DIR NUMBER), or give this chain a --datadir of its own',
  });
}
