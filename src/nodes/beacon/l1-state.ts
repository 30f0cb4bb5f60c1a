import type { Hex } from '../../protocol/types.ts';
import type { RpcClient } from '../../rpc/client.ts';
import { readText, remove, replaceFile } from '../../system/folder.ts';
import type { ChainBlock } from './chain.ts';
import { poolForms } from './pool-order.ts';

/** anvil's state at a block of the journal, with the transactions that waited then. */
interface KeptL1 {
  readonly number: number;
  readonly hash: Hex;
  /** As `anvil_dumpState` returns it: all accounts, blocks and receipts. */
  readonly state: Hex;
  /** Network forms of the pool's transactions. */
  readonly pool: readonly Hex[];
}

/** Time (ms) for anvil to write or read a state: about 1 ms a block on a busy machine. */
const PATIENCE = 120_000;

const fileOf = (datadir: string) => `${datadir}/l1-state.json`;

/**
 * Writes anvil's state to the data folder. The journal alone lacks what no transaction made (`anvil_setBalance`), and
 * the pool. @throws RpcError, Failure `write`
 */
export async function keepL1(rpc: RpcClient, datadir: string, { number, hash }: ChainBlock): Promise<void> {
  const pool = await poolForms(rpc);
  const state = await rpc.call<Hex>('anvil_dumpState', [], { timeoutMs: PATIENCE });
  replaceFile(fileOf(datadir), JSON.stringify({ number, hash, state, pool } satisfies KeptL1));
}

/**
 * Gives a new anvil the state of the data folder where that belongs to the journal's chain. Returns its block, or
 * undefined where there is no such state. The transactions of the pool follow where it was kept at the head.
 */
export async function loadL1(
  rpc: RpcClient,
  datadir: string,
  block: (number: number) => ChainBlock | undefined,
): Promise<number | undefined> {
  const kept = parse(readText(fileOf(datadir)));
  if (kept === undefined) return undefined;
  // L1 was reorganised since: the state is of blocks that are gone.
  if (block(kept.number)?.hash !== kept.hash) {
    remove(fileOf(datadir));
    return undefined;
  }
  await rpc.call('anvil_loadState', [kept.state], { timeoutMs: PATIENCE });
  const isHead = block(kept.number + 1) === undefined;
  // A transaction that no longer fits is rejected.
  if (isHead && kept.pool.length > 0)
    await rpc.batch(kept.pool.map((form) => ({ method: 'eth_sendRawTransaction', params: [form] })));
  return kept.number;
}

function parse(text: string | undefined): KeptL1 | undefined {
  try {
    return JSON.parse(text ?? '') as KeptL1;
  } catch {
    return undefined;
  }
}
