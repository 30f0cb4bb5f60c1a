import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { prepareCrypto } from '../../../../src/nodes/execution/evm/crypto.ts';
import { openJournal } from '../../../../src/nodes/execution/pool/journal.ts';
import type { TransactionPool } from '../../../../src/nodes/execution/pool/pool.ts';
import { decodeTransaction, type SignedTransaction } from '../../../../src/nodes/execution/transaction/transaction.ts';
import { versionedHash } from '../../../../src/nodes/kzg/kzg.ts';
import { signTransaction as signBlobs } from '../../../../src/nodes/txmgr/transaction.ts';
import { concat } from '../../../../src/protocol/bytes.ts';
import { joinBlobTransaction, splitBlobTransaction } from '../../../../src/protocol/codec/blobs/sidecar.ts';
import { rlpEncode } from '../../../../src/protocol/codec/rlp.ts';
import { ethereumRulesAt } from '../../../../src/protocol/forks/ethereum.ts';
import { keccak256Bytes } from '../../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { createLogger } from '../../../../src/system/program/log.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { INBOX, L1_CHAIN_ID, SENDERS } from '../support/l1-genesis.ts';
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

/** Opens a pool over the file, as a start does, and returns what it logs. */
function started({ view = headOf(), isIncluded = (_: Hex): boolean => false } = {}) {
  const { pool } = poolOf('go', { view });
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  const heard = createLogger({ level: 'debug', format: 'json', color: false, pid: false, write });
  return { pool, lines, journal: openJournal(file, { pool, isIncluded, log: heard }) };
}

/** Returns the records of transactions in the format of geth's journal. */
const recordsOf = (...transactions: readonly SignedTransaction[]) =>
  Buffer.concat(transactions.map(({ type, raw }) => (type === 0 ? raw : rlpEncode(raw))));

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

  test('restores each transaction to memory of its own, so that none keeps the bytes of the file', () => {
    const { pool } = started();
    for (const transaction of sent) pool.add(transaction);
    const restored = started()
      .pool.entries()
      .map(({ transaction }) => transaction.raw);
    expect(restored.map(({ buffer }) => buffer.byteLength)).toEqual(sent.map(({ raw }) => raw.length));
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

  test('is rewritten when 4,096 records are stale, beyond twice as many as the pool has', () => {
    const [kept, other] = [sent[0]!, sent[1]!].map((transaction) => ({ transaction, condition: undefined })) as never[];
    let hear: (entry: never) => void = () => undefined;
    // The pool has two transactions, the second of which arrives again and again.
    const pool = {
      ...{ size: 2, sidecars: { get: () => undefined }, entries: () => [kept, other] },
      onEntry(listener: typeof hear) {
        hear = listener;
        return () => undefined;
      },
    } as never;
    openJournal(file, { pool, isIncluded: () => false, log });
    const again = (times: number) => {
      for (let count = 0; count < times; count++) hear(other!);
      return (readFileSync(file).length - recordsOf(sent[0]!).length) / recordsOf(sent[1]!).length;
    };
    for (let round = 0; round < 2; round++) {
      expect(again(2 * 2 + 4096 - 2)).toBe(2 * 2 + 4096 - 1);
      expect(again(1)).toBe(1);
    }
  });

  test('has transactions as a block body has: a list for legacy ones, else a string', () => {
    const { pool, journal } = started();
    for (const transaction of sent) pool.add(transaction);
    expect(readFileSync(file)).toEqual(recordsOf(...sent));
    pool.drop(sent[4]!);
    journal.rotate();
    expect(readFileSync(file)).toEqual(recordsOf(...sent.slice(0, 4)));
    pool.drop(sent[3]!);
    journal.close();
    expect(readFileSync(file)).toEqual(recordsOf(...sent.slice(0, 3)));
    pool.add(sent[3]!);
    expect(readFileSync(file)).toEqual(recordsOf(...sent.slice(0, 3)));
  });

  test('leaves conditional transactions out when it is rewritten', () => {
    const { pool, journal } = started();
    const none = { blockNumberMin: undefined, blockNumberMax: 9n, timestampMin: undefined, timestampMax: undefined };
    pool.add(sent[0]!);
    pool.add(sent[1]!, { local: true, condition: { knownAccounts: new Map(), ...none } });
    journal.rotate();
    expect(readFileSync(file)).toEqual(recordsOf(sent[0]!));
  });

  test('does not prevent a transaction when the disk refuses the write, and warns', () => {
    const { pool, journal, lines } = started();
    journal.close();
    rmSync(folder, { recursive: true });
    pool.add(sent[0]!);
    expect(lines).toEqual([]);
    journal.rotate();
    expect(pool.size).toBe(1);
    expect(lines).toMatchObject([{ lvl: 'warn', path: file, error: expect.anything() }]);
  });

  test('says how many transactions it restores, rejects and cuts off', () => {
    const first = started();
    expect(first.lines).toEqual([]);
    for (const transaction of sent) first.pool.add(transaction);
    writeFileSync(
      file,
      Buffer.concat([Buffer.from('83010203', 'hex'), readFileSync(file), Buffer.from('b901', 'hex')]),
    );
    const isIncluded = (hash: Hex) => hash === sent[0]!.hash;
    const { lines } = started({ view: headOf({}, { nonce: () => 2n }), isIncluded });
    expect(lines).toMatchObject([
      { lvl: 'debug', path: file, error: expect.anything() },
      { lvl: 'debug', path: file, error: expect.stringContaining('nonce too low') },
      { lvl: 'warn', path: file, bytes: 2 },
      { lvl: 'info', path: file, taken: 3, dropped: 3 },
    ]);
    const nothing = started({ view: headOf({}, { nonce: () => 9n }) });
    expect(nothing.lines.at(-1)).toMatchObject({ lvl: 'info', taken: 0, dropped: 3 });
    expect(started().lines).toEqual([]);
  });
});

describe('a blob transaction in the journal', () => {
  const bytes = (length: number, byte: number) => new Uint8Array(length).fill(byte);
  const sidecar = { version: 0 as const, blobs: [bytes(9, 1)], commitments: [bytes(48, 2)], proofs: [bytes(48, 3)] };
  const signed = signBlobs(SENDERS[0]!, {
    ...{ chainId: L1_CHAIN_ID, nonce: 0, gas: 21_000, to: INBOX, data: new Uint8Array() },
    fees: { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n, maxFeePerBlobGas: 3n },
    sidecar: { ...sidecar, versionedHashes: sidecar.commitments.map(versionedHash) },
  });
  const { raw } = splitBlobTransaction(hexToBytes(signed.raw))!;
  const view = headOf({}, { chainId: L1_CHAIN_ID, rules: ethereumRulesAt({ shanghai: 0, cancun: 0 }, 10n) });

  test('is restored with its blobs', () => {
    const { pool } = started({ view });
    const transaction = decodeTransaction(raw);
    pool.sidecars.add(transaction.hash, sidecar);
    pool.add(transaction);
    const record = Buffer.from(rlpEncode(joinBlobTransaction({ raw, sidecar })));
    expect(readFileSync(file)).toEqual(record);
    const next = started({ view });
    expect(hashesOf(next.pool)).toEqual([transaction.hash]);
    expect(bytesToHex(next.pool.entries()[0]!.transaction.raw)).toBe(bytesToHex(raw));
    expect(next.pool.sidecars.get(transaction.hash)?.version).toBe(0);
    expect(readFileSync(file)).toEqual(record);
  });

  test('is dropped without its blobs, or when it is malformed, and others are restored', () => {
    const { pool } = started({ view });
    const transaction = decodeTransaction(raw);
    pool.sidecars.add(transaction.hash, sidecar);
    pool.add(transaction);
    const others = [raw, Uint8Array.of(3), Uint8Array.of(3, 0xc1)].map((one) => rlpEncode(one));
    writeFileSync(file, Buffer.concat([...others, readFileSync(file)]));
    const next = started({ view });
    expect(hashesOf(next.pool)).toEqual([transaction.hash]);
    expect(next.lines.at(-1)).toMatchObject({ taken: 1, dropped: 3 });
  });
});
