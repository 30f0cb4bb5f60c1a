import { sameHex } from '../../protocol/hex.ts';
import type { Plan } from '../plan/plan.ts';
import type { GivenFault, L1PoolFault } from '../state/faults.ts';
import { refusal } from './places.ts';

type Network = Pick<Plan, 'network' | 'genesisTime'>;

type Given = Extract<GivenFault, { pool: unknown }>['pool'];

/** Slots of an epoch. */
const EPOCH_SLOTS = 32;

/** What a fault of L1's pool is about: a transaction that waits, or the next one of an account. */
export type PoolTarget = { readonly hash: string } | { readonly from: string; readonly task: string | undefined };

/** Lists the accounts of batchers and proposers. */
function posters({ chains }: Plan['network']) {
  return chains.flatMap(({ name: chain, accounts, ...tasks }) =>
    accounts.flatMap(({ address: from, role }) =>
      role === 'batcher' || role === 'proposer' ? [{ chain, role, from, task: tasks[role]?.task }] : [],
    ),
  );
}

/** Reads the word for a transaction. @throws Failure `fault` (exit 2) */
export function poolTarget({ network }: Pick<Plan, 'network'>, word: string): PoolTarget {
  if (/^0x[0-9a-f]{64}$/i.test(word)) return { hash: word.toLowerCase() };
  const [chain, role] = word.includes('/') ? word.split('/') : [undefined, word];
  const [first, ...others] = posters(network).filter(
    (each) => each.role === role && (chain === undefined || each.chain === chain),
  );
  const expected = 'expected the hash of a transaction, or batcher, proposer or CHAIN/batcher for its next one';
  if (first === undefined) throw refusal(`${JSON.stringify(word)} names no transaction: ${expected}`, { of: word });
  if (others.length === 0) return { from: first.from, task: first.task };
  const names = [first, ...others].map((each) => `${each.chain}/${word}`);
  throw refusal(`several chains have a ${word}`, { of: word, expected: names }, `expected one of ${names.join(', ')}`);
}

/**
 * Returns the content of a fault with its sender. `from` and `nonce` of a hash are those that L1's pool has.
 * @throws Failure `fault` (exit 2)
 */
export function withSender(
  plan: Network,
  { action, of, from, nonce }: Given,
): Omit<L1PoolFault, 'id' | 'since' | 'until'> {
  const target = poolTarget(plan, of);
  if ('from' in target) return { action, of, from: target.from };
  if (from === undefined) throw refusal(`no transaction ${of} waits on L1`, { of });
  return { action, of, from, ...(nonce === undefined ? {} : { nonce }) };
}

/** Returns the time (ms) of the first block after a fault of some epochs. */
export function endOfEpochs({ genesisTime, network }: Network, epochs: number, now: number): number {
  const [genesis, slotMs] = [genesisTime * 1000, network.l1.blockTime * 1000];
  return genesis + (Math.floor((now - genesis) / slotMs) + 1 + epochs * EPOCH_SLOTS) * slotMs;
}

/** Returns the task whose transaction a fault is about; undefined: another account sends it. */
export function taskOf({ network }: Pick<Plan, 'network'>, { from }: Pick<L1PoolFault, 'from'>): string | undefined {
  return posters(network).find((each) => sameHex(each.from, from))?.task;
}

/** Formats a fault of L1's pool, without its id. */
export function poolText({ action, of, nonce }: Pick<L1PoolFault, 'action' | 'of' | 'nonce'>): string {
  if (of.startsWith('0x')) return `${action} transaction ${of}`;
  return nonce === undefined ? `${action} the next transaction of ${of}` : `${action} transaction ${nonce} of ${of}`;
}
