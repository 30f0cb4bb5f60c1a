import { concatAll } from '../../protocol/bytes.ts';
import { hexToBytes } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import type { RpcClient } from '../../rpc/client.ts';
import { readWhole } from '../../system/copy.ts';
import { remove, replaceFile } from '../../system/folder.ts';
import type { ChainBlock } from './chain.ts';
import { poolForms } from './pool-order.ts';

/** The first line of the file. The bytes of `anvil_dumpState` follow: all accounts, blocks and receipts, compressed. */
interface KeptL1 {
  /** The block of the journal at which the state was kept. */
  readonly number: number;
  readonly hash: Hex;
  /** Network forms of the transactions that waited then. */
  readonly pool: readonly Hex[];
}

/** Time (ms) for anvil to write or read a state: about 1 ms a block on a busy machine. */
const PATIENCE = 120_000;

const fileOf = (datadir: string) => `${datadir}/l1-state`;

/**
 * Writes anvil's state to the data folder. The journal alone lacks what no transaction made (`anvil_setBalance`), and
 * the pool. @throws RpcError, Failure `write`
 */
export async function keepL1(rpc: RpcClient, datadir: string, { number, hash }: ChainBlock): Promise<void> {
  const pool = await poolForms(rpc);
  const state = await rpc.call<Hex>('anvil_dumpState', [], { timeoutMs: PATIENCE });
  const line = JSON.stringify({ number, hash, pool } satisfies KeptL1);
  replaceFile(fileOf(datadir), concatAll([Buffer.from(`${line}\n`), hexToBytes(state)]));
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
  const file = read(fileOf(datadir));
  if (file === undefined) return undefined;
  const { kept, state } = file;
  // L1 was reorganised since: the state is of blocks that are gone.
  if (block(kept.number)?.hash !== kept.hash) {
    remove(fileOf(datadir));
    return undefined;
  }
  await rpc.call('anvil_loadState', [state], { timeoutMs: PATIENCE });
  const isHead = block(kept.number + 1) === undefined;
  // A transaction that no longer fits is rejected.
  if (isHead && kept.pool.length > 0)
    await rpc.batch(kept.pool.map((form) => ({ method: 'eth_sendRawTransaction', params: [form] })));
  return kept.number;
}

function read(path: string): { readonly kept: KeptL1; readonly state: Hex } | undefined {
  try {
    const bytes = readWhole(path);
    const end = bytes.indexOf('\n');
    const kept = JSON.parse(bytes.toString('utf8', 0, end)) as KeptL1;
    return { kept, state: `0x${bytes.toString('hex', end + 1)}` };
  } catch {
    return undefined;
  }
}
