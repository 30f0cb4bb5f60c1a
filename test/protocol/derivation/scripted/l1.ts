import { encodeBlob } from '../../../../src/protocol/codec/blob.ts';
import type { L1Chain } from '../../../../src/protocol/derivation/ports.ts';
import { keccak256 } from '../../../../src/protocol/hash.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import type { Hex, L1Header, L1Receipt, L1Transaction } from '../../../../src/protocol/types.ts';
import { BATCHER, GENESIS_L1, GENESIS_TIME, hashOf, INBOX, L1_BLOCK_TIME } from './rollup.ts';

interface L1Block {
  readonly header: L1Header;
  readonly transactions: readonly L1Transaction[];
  readonly receipts: readonly L1Receipt[];
}

/** What goes into a mined block. */
export interface L1Contents {
  readonly transactions?: readonly L1Transaction[];
  readonly receipts?: readonly L1Receipt[];
  /** Seconds after the parent. */
  readonly after?: number;
}

/** An L1 in memory: blocks are what the test mines. */
export interface ScriptedL1 extends L1Chain {
  head(): L1Header;
  mine(contents?: L1Contents): L1Header;
  /** Drops the blocks above a number; what is mined after has other hashes. */
  reorgTo(number: number): void;
  /** A blob transaction of the batcher, with its blobs at hand. */
  blobTransaction(data: readonly Uint8Array[]): L1Transaction;
  /** Calls of a port made so far, by name. */
  readonly calls: Map<string, number>;
  /** While set, every call is rejected. */
  failing: boolean;
}

/** A header with a hash of its own. */
export function l1Header(number: number, timestamp: number, fields: Partial<L1Header> = {}): L1Header {
  return {
    number,
    hash: hashOf(`L1 ${number}`),
    parentHash: hashOf(`L1 ${number - 1}`),
    timestamp,
    mixHash: hashOf(`randao ${number}`),
    baseFeePerGas: 7n,
    excessBlobGas: 0,
    parentBeaconBlockRoot: hashOf(`beacon ${number}`),
    requestsHash: hashOf('requests'),
    ...fields,
  };
}

/** A transaction of the batcher with calldata. */
export function calldataTransaction(data: Uint8Array, fields: Partial<L1Transaction> = {}): L1Transaction {
  return { hash: keccak256(data), type: 2, from: BATCHER, to: INBOX, input: bytesToHex(data), ...fields };
}

/** An L1 that begins at the rollup's genesis. */
export function scriptedL1(): ScriptedL1 {
  const genesis = l1Header(GENESIS_L1.number, GENESIS_TIME, { hash: GENESIS_L1.hash });
  const chain: L1Block[] = [{ header: genesis, transactions: [], receipts: [] }];
  const byHash = new Map<Hex, L1Block>([[genesis.hash, chain[0]!]]);
  const blobs = new Map<Hex, Uint8Array>();
  const calls = new Map<string, number>();
  let branch = 0;

  const call = <T>(name: string, answer: () => T): Promise<T> => {
    calls.set(name, (calls.get(name) ?? 0) + 1);
    return l1.failing ? Promise.reject(new Error(`${name}: L1 does not answer`)) : Promise.resolve(answer());
  };

  const l1: ScriptedL1 = {
    calls,
    failing: false,
    head: () => chain.at(-1)!.header,
    mine({ transactions = [], receipts = [], after = L1_BLOCK_TIME } = {}) {
      const parent = l1.head();
      const number = parent.number + 1;
      const hash = hashOf(`L1 ${number} on ${branch}`);
      const header = l1Header(number, parent.timestamp + after, { hash, parentHash: parent.hash });
      const block = { header, transactions, receipts };
      chain.push(block);
      byHash.set(hash, block);
      return header;
    },
    reorgTo(number) {
      chain.length = number - GENESIS_L1.number + 1;
      branch++;
    },
    blobTransaction(data) {
      const hashes = data.map((part) => {
        const blob = encodeBlob(part);
        const hash: Hex = `0x01${keccak256(blob).slice(4)}`;
        blobs.set(hash, blob);
        return hash;
      });
      return calldataTransaction(Uint8Array.of(9), { type: 3, blobVersionedHashes: hashes });
    },
    headerByNumber: (number) => call('headerByNumber', () => chain[number - GENESIS_L1.number]?.header ?? null),
    headerByHash: (hash) => call('headerByHash', () => byHash.get(hash)?.header ?? null),
    receipts: (hash) => call('receipts', () => byHash.get(hash)?.receipts ?? null),
    transactions: (hash) => call('transactions', () => byHash.get(hash)?.transactions ?? null),
    blobs: (_header, hashes) =>
      call('blobs', () => {
        const values = hashes.map((hash) => blobs.get(hash));
        return values.every((blob) => blob !== undefined) ? values : null;
      }),
  };
  return l1;
}
