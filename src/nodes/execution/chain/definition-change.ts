import { isDeepStrictEqual } from 'node:util';
import { EXIT, Failure } from '../../../system/failure.ts';
import type { ChainDefinition } from './genesis.ts';

/**
 * A genesis file of the same block may set other fork times than the one before it. That is well where no block has been executed by them.
 * @throws Failure `genesis-mismatch` naming what differs
 */
export function checkDefinition(
  stored: ChainDefinition,
  given: ChainDefinition,
  head: { readonly number: number; readonly timestamp: number },
  datadir: string,
): void {
  if (head.number === 0) return;
  const [was, is] = [stored, given].map(
    ({ ethereum, schedule }): Readonly<Record<string, number | undefined>> => ethereum?.schedule ?? schedule,
  ) as [Record<string, number | undefined>, Record<string, number | undefined>];
  for (const fork of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const first = Math.min(was[fork] ?? Number.POSITIVE_INFINITY, is[fork] ?? Number.POSITIVE_INFINITY);
    if (was[fork] === is[fork] || first > head.timestamp) continue;
    throw mismatch(
      datadir,
      `its blocks up to ${head.number} were executed with ${fork} at ${was[fork] ?? 'no time'}, the genesis file says ${is[fork] ?? 'no time'}`,
    );
  }
  if (!isDeepStrictEqual(stored.optimism, given.optimism))
    throw mismatch(datadir, `its blocks up to ${head.number} were executed with another config.optimism`);
}

function mismatch(datadir: string, difference: string): Failure {
  return new Failure('genesis-mismatch', `the datadir ${datadir} holds a chain of other rules: ${difference}`, {
    data: { datadir },
    exit: EXIT.usage,
    hint: 'take the chain back first (debug_setHead), or give this chain a --datadir of its own',
  });
}
