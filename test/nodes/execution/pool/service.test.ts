import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { prepareCrypto } from '../../../../src/nodes/execution/evm/crypto.ts';
import { FLAVOURS } from '../../../../src/nodes/execution/flavours/index.ts';
import { openPool, type PoolOptions, type PoolService } from '../../../../src/nodes/execution/pool/service.ts';
import type { PoolSettings } from '../../../../src/nodes/execution/pool/settings.ts';
import { decodeTransaction, type SignedTransaction } from '../../../../src/nodes/execution/transaction/transaction.ts';
import { concatAll } from '../../../../src/protocol/bytes.ts';
import { rlpEncode } from '../../../../src/protocol/codec/rlp.ts';
import { hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { createLogger } from '../../../../src/system/program/log.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { signTransaction } from '../support/sign-transaction.ts';
import { StoredChain } from '../support/stored-chain.ts';

/** Nonces 0 to 2 of one account, and nonce 7, which is behind a gap. */
let zero: SignedTransaction;
let one: SignedTransaction;
let two: SignedTransaction;
let seven: SignedTransaction;
beforeAll(async () => {
  await prepareCrypto();
  const raws = await Promise.all([0, 1, 2, 7].map((nonce) => signTransaction(ACCOUNTS[0]!, { nonce })));
  const sent = raws.map((raw) => decodeTransaction(hexToBytes(raw)));
  [zero, one, two, seven] = [sent[0]!, sent[1]!, sent[2]!, sent[3]!];
});

let sample: StoredChain;
let services: PoolService[];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  sample = new StoredChain();
  services = [];
});
afterEach(() => {
  for (const service of services) service.close();
  sample[Symbol.dispose]();
  vi.useRealTimers();
});

/** Opens a pool of the sample chain, and returns what it logs. */
function opened(settings: Partial<PoolSettings> = {}, journal?: PoolOptions['journal']) {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  const log = createLogger({ level: 'debug', format: 'json', color: false, pid: false, write });
  const { pool: behaviour } = FLAVOURS.go;
  const options = { settings: { ...behaviour.defaults, ...settings }, ...(journal === undefined ? {} : { journal }) };
  const service = openPool(sample.chain, behaviour, options, log);
  services.push(service);
  return { service, pool: service.pool, lines };
}
const journalOf = (rewriteAfter = 1000) => ({ path: join(sample.folder, 'pool', 'transactions.rlp'), rewriteAfter });
const hashesOf = ({ pool }: Pick<PoolService, 'pool'>): Hex[] =>
  pool.entries().map(({ transaction }) => transaction.hash);
const recordsOf = (...transactions: readonly SignedTransaction[]) =>
  Buffer.from(concatAll(transactions.map(({ raw }) => rlpEncode(raw))));
const fileOf = ({ path }: { readonly path: string }) => readFileSync(path);

/** Stores a line of blocks on genesis, the first of which include the transactions. */
async function branch(seed: number, length: number, transactions: readonly SignedTransaction[] = []): Promise<Hex[]> {
  const hashes: Hex[] = [];
  for (let at = 0; at < length; at++) {
    const included = transactions[at];
    const logs = included === undefined ? [] : [[]];
    const raws = included === undefined ? [] : [included.raw];
    hashes.push(await sample.child(hashes.at(-1) ?? sample.chain.genesisHash, seed, logs, raws));
  }
  return hashes;
}

describe('the pool of a chain', () => {
  it('takes back the transactions of removed blocks, oldest first', async () => {
    const { service, pool } = opened();
    const blocks = await branch(1, 3, [zero, one, two]);
    const [other] = await branch(2, 1);
    sample.chain.makeCanonical(blocks[1]!);
    expect(pool.size).toBe(0);
    sample.chain.makeCanonical(other!);
    expect(hashesOf(service)).toEqual([zero.hash, one.hash]);
  });

  it('takes back the transactions of 64 removed blocks, and none of more', async () => {
    const { service, lines } = opened();
    const blocks = await branch(1, 65, [zero, one]);
    const [other] = await branch(2, 1);
    sample.chain.makeCanonical(blocks[64]!);
    sample.chain.makeCanonical(other!);
    expect(hashesOf(service)).toEqual([]);
    expect(lines).toMatchObject([{ lvl: 'info', blocks: 65 }]);
    sample.chain.makeCanonical(blocks[63]!);
    sample.chain.makeCanonical(other!);
    expect(hashesOf(service)).toEqual([zero.hash, one.hash]);
    expect(lines).toHaveLength(1);
  });

  it('does not change with the head after it is closed', async () => {
    const { service } = opened();
    const [block] = await branch(1, 1, [zero]);
    const [other] = await branch(2, 1);
    sample.chain.makeCanonical(block!);
    service.close();
    sample.chain.makeCanonical(other!);
    expect(hashesOf(service)).toEqual([]);
  });
});

describe('expired transactions', () => {
  it.each([
    ['half of their lifetime', 100, 150],
    ['10 ms, when half of their lifetime is less', 4, 10],
    ['one minute, when half of their lifetime is more', 200_000, 240_000],
  ])('are searched for every %s', (_, lifetime, dropped) => {
    const { pool, lines } = opened({ lifetime });
    pool.add(seven);
    vi.advanceTimersByTime(dropped - 1);
    expect([pool.size, lines]).toEqual([1, []]);
    vi.advanceTimersByTime(1);
    expect(pool.size).toBe(0);
    expect(lines).toMatchObject([{ dropped: 1 }]);
  });
});

describe('the journal of a pool', () => {
  it('restores the transactions that are not in the chain', async () => {
    const journal = journalOf();
    const first = opened({}, journal);
    for (const transaction of [zero, one, two]) first.pool.add(transaction);
    first.service.close();
    const [block] = await branch(1, 1, [one]);
    sample.chain.makeCanonical(block!);
    expect(hashesOf(opened({}, journal).service)).toEqual([zero.hash, two.hash]);
  });

  it('is rewritten after its time, without the transactions that left the pool', () => {
    const journal = journalOf(700);
    const { pool } = opened({}, journal);
    for (const transaction of [zero, one]) pool.add(transaction);
    pool.drop(one);
    vi.advanceTimersByTime(699);
    expect(fileOf(journal)).toEqual(recordsOf(zero, one));
    vi.advanceTimersByTime(1);
    expect(fileOf(journal)).toEqual(recordsOf(zero));
  });

  it('is rewritten on request, and when the pool is closed', () => {
    const journal = journalOf();
    const { pool, service } = opened({}, journal);
    for (const transaction of [zero, one]) pool.add(transaction);
    pool.drop(one);
    service.rewrite();
    expect(fileOf(journal)).toEqual(recordsOf(zero));
    pool.drop(zero);
    service.close();
    expect(fileOf(journal)).toEqual(recordsOf());
  });

  it('has the transactions of an earlier moment once they are in place', () => {
    const earlier = opened().pool;
    earlier.add(zero);
    const journal = journalOf();
    const { pool, service } = opened({}, journal);
    pool.add(one);
    service.replace(earlier.entries());
    expect(hashesOf(service)).toEqual([zero.hash]);
    expect(fileOf(journal)).toEqual(recordsOf(zero));
  });

  it('is not needed', () => {
    const { pool, service } = opened();
    pool.add(zero);
    service.rewrite();
    service.replace([]);
    expect(hashesOf(service)).toEqual([]);
  });
});

it('the timers of a pool keep no program alive, and end when it is closed', () => {
  const timers = vi.spyOn(globalThis, 'setInterval');
  const { service } = opened({}, journalOf());
  expect(timers.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([false, false]);
  expect(vi.getTimerCount()).toBe(2);
  service.close();
  expect(vi.getTimerCount()).toBe(0);
  timers.mockRestore();
});
