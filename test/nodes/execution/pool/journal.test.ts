import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { prepareCrypto } from '../../../../src/nodes/execution/evm/crypto.ts';
import { openJournal } from '../../../../src/nodes/execution/pool/journal.ts';
import type { TransactionPool } from '../../../../src/nodes/execution/pool/pool.ts';
import { decodeTransaction, type SignedTransaction } from '../../../../src/nodes/execution/transaction/transaction.ts';
import { concat } from '../../../../src/protocol/bytes.ts';
import { rlpEncode } from '../../../../src/protocol/codec/rlp.ts';
import { keccak256Bytes } from '../../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { createLogger } from '../../../../src/system/program/log.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { temporaryFolder } from '../support/nodes.ts';
import { headOf, poolOf } from '../support/pool.ts';
import { signTransaction } from '../support/sign-transaction.ts';

const log = createLogger({ level: 'silent', format: 'text', color: false, pid: false });
const one = ACCOUNTS[0]!;
let folder: string;
let file: string;
/** Nonces 0 to 4: typed transactions with a legacy one among them. */
let sent: SignedTransaction[];

beforeAll(async () => {
  await prepareCrypto();
  const legacy = one.signTransaction({
    type: 'legacy',
    chainId: 901,
    nonce: 2,
    gas: 21_000n,
    gasPrice: 10n ** 10n,
    to: one.address,
  });
  const raws = await Promise.all(
    [0, 1, 2, 3, 4].map((nonce) => (nonce === 2 ? legacy : signTransaction(one, { nonce }))),
  );
  sent = raws.map((raw) => decodeTransaction(hexToBytes(raw)));
});
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'pool', 'transactions.rlp');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Opens a pool over the file, as a start does. */
function started(): { pool: TransactionPool; journal: ReturnType<typeof openJournal> } {
  const { pool } = poolOf('go');
  return { pool, journal: openJournal(file, { pool, isIncluded: () => false, log }) };
}

/** Opens a pool over a copy of the file. */
function openCopy(): TransactionPool {
  const { pool } = poolOf('go');
  const copy = join(folder, 'copy.rlp');
  writeFileSync(copy, readFileSync(file));
  openJournal(copy, { pool, isIncluded: () => false, log }).close();
  return pool;
}

const hashesOf = (pool: TransactionPool) => pool.entries().map(({ transaction }) => transaction.hash);

describe('the journal', () => {
  test('stores each transaction before its sender is answered, and restores them in order', () => {
    const { pool } = started();
    for (const transaction of sent) {
      pool.add(transaction);
      expect(hashesOf(openCopy())).toEqual(hashesOf(pool));
    }
  });

  test('that is truncated anywhere loses no record before the cut, and continues after it', () => {
    const first = started();
    const ends = [0];
    for (const transaction of sent) {
      first.pool.add(transaction);
      ends.push(readFileSync(file).length);
    }
    const whole = readFileSync(file);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.length }), (cut) => {
        writeFileSync(file, whole);
        truncateSync(file, cut);
        const count = ends.filter((end) => end > 0 && end <= cut).length;
        const { pool } = started();
        expect(hashesOf(pool)).toEqual(sent.slice(0, count).map(({ hash }) => hash));
        for (const transaction of sent.slice(count)) pool.add(transaction);
        expect(hashesOf(openCopy())).toEqual(sent.map(({ hash }) => hash));
      }),
      { numRuns: 25 },
    );
  });

  test('drops transactions that no longer fit the chain, and records that are no transaction', () => {
    const { pool } = started();
    for (const transaction of sent) pool.add(transaction);
    const whole = readFileSync(file);
    writeFileSync(file, Buffer.concat([Buffer.from('83010203', 'hex'), whole]));
    const later = poolOf('go', { view: { ...headOf(), nonce: () => 3n } });
    openJournal(file, { pool: later.pool, isIncluded: () => false, log });
    expect(hashesOf(later.pool)).toEqual(sent.slice(3).map(({ hash }) => hash));
  });

  test('drops included transactions by their hash, before it decodes them', () => {
    const { pool } = started();
    for (const transaction of sent) pool.add(transaction);
    // Without a signature it cannot be decoded.
    const included = rlpEncode(concat(Uint8Array.of(2), rlpEncode([])));
    writeFileSync(file, Buffer.concat([included, readFileSync(file)]));
    const queries: Hex[] = [];
    const minedHashes = new Set<Hex>([bytesToHex(keccak256Bytes(included.slice(1))), sent[0]!.hash]);
    const isIncluded = (hash: Hex) => {
      queries.push(hash);
      return minedHashes.has(hash);
    };
    const later = poolOf('go', { view: { ...headOf(), nonce: () => 1n } });
    openJournal(file, { pool: later.pool, isIncluded, log });
    expect(hashesOf(later.pool)).toEqual(sent.slice(1).map(({ hash }) => hash));
    expect(queries.slice(1)).toEqual(sent.map(({ hash }) => hash));
  });

  test('does not keep a transaction whose condition would be lost', () => {
    const { pool } = started();
    const none = { blockNumberMin: undefined, blockNumberMax: 9n, timestampMin: undefined, timestampMax: undefined };
    pool.add(sent[0]!, { local: true, condition: { knownAccounts: new Map(), ...none } });
    expect(openCopy().size).toBe(0);
  });

  test('is at most a few times as large as the pool', () => {
    const { pool } = started();
    for (let round = 0; round < 1500; round++)
      for (const transaction of sent) {
        pool.add(transaction);
        pool.drop(transaction);
      }
    expect(readFileSync(file).length).toBeLessThan(5000 * sent[0]!.raw.length);
  });

  test('does not prevent a transaction when the disk refuses the write', () => {
    const { pool, journal } = started();
    journal.close();
    rmSync(folder, { recursive: true });
    pool.add(sent[0]!);
    journal.rotate();
    expect(pool.size).toBe(1);
  });
});
