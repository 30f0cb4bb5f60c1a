import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { hexToBytes } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { RpcClient } from '../../../rpc/client/client.ts';
import { writeAtomic } from '../../../system/files/atomic-write.ts';
import { exists, readText, remove } from '../../../system/files/folder.ts';
import type { ChainBlock } from '../chain/chain.ts';
import type { L1StateFile } from './l1-chain.ts';
import { type PooledTransaction, readPool, sendPool } from './pool/pool.ts';

/** The block of a kept state. */
interface KeptAt {
  readonly number: number;
  readonly hash: Hex;
  /** Transactions that waited at this block. */
  readonly pool: readonly PooledTransaction[];
}

/** Time (ms) for anvil to write a state: about 1 ms a block on a busy machine. */
const SAVE_TIMEOUT_MS = 120_000;

const decompress = promisify(gunzip);

/**
 * Opens the state of L1 on disk: all accounts, blocks and receipts, as the next anvil reads them (`--load-state`).
 * The journal alone lacks what no transaction made (`anvil_setBalance`), and the pool. `stateFile`: path of the file
 * for anvil. The pool lies in the data folder. `rpc` is for requests, and `states` for whole states.
 */
export function openSavedState(stateFile: string, datadir: string, rpc: RpcClient, states = rpc): L1StateFile {
  const poolFile = `${datadir}/l1-pool.json`;

  function read(): KeptAt | undefined {
    try {
      return JSON.parse(readText(poolFile) ?? '') as KeptAt;
    } catch {
      return undefined;
    }
  }

  function write({ number, hash }: ChainBlock, pool: readonly PooledTransaction[]): void {
    writeAtomic(poolFile, JSON.stringify({ number, hash, pool } satisfies KeptAt), 0o600);
  }

  return {
    async keep(block) {
      const pool = await readPool(states);
      const state = await states.call<Hex>('anvil_dumpState', [], { timeoutMs: SAVE_TIMEOUT_MS });
      const json = await decompress(hexToBytes(state));
      // In this order, a kill or a full disk in between leaves no state that seems to be of an older block, and the
      // transactions that wait are kept. An older state that seems to be of this block is only dropped earlier.
      write(block, pool);
      // It reaches the disk: anvil refuses to start with a part of it.
      writeAtomic(stateFile, json, 0o600);
    },
    async keepPool(block) {
      const pool = await readPool(rpc);
      if (pool.length > 0 || exists(poolFile)) write(block, pool);
    },
    dropAbove(number) {
      if ((read()?.number ?? Number.POSITIVE_INFINITY) <= number) return;
      remove(stateFile);
      remove(poolFile);
    },
    async sendPool({ hash }) {
      const state = read();
      // A transaction that no longer fits is rejected.
      if (state?.hash === hash) await sendPool(rpc, state.pool);
    },
  };
}
