import { jsonFields } from '../../../protocol/codec/json.ts';
import { keccak256Text } from '../../../protocol/hash.ts';
import { bytesToHex, quantity } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import { l1ReceiptOf } from '../../divergence/explain/l1.ts';
import type { Json } from '../../inspect/inspector.ts';
import { ask } from '../../inspect/layer.ts';
import type { ChainView, Plan } from '../../plan/plan.ts';

/** Blocks of each layer that are searched: the newest. */
const SEARCHED_BLOCKS = 5000;

/** Returns the first topic of an event by its signature. */
export const topicOf = (event: string) => bytesToHex(keccak256Text(event));

/** Reads the logs of events of a contract of a chain on L1. None if the chain has no such contract. */
export function logsOnL1(
  plan: Plan,
  chain: ChainView,
  contract: string,
  events: readonly string[],
): Promise<readonly Json[]> {
  const address = chain.contracts.l1[contract];
  return address === undefined ? Promise.resolve([]) : logsAt({ url: plan.network.l1.rpc }, { address, events });
}

/** Reads the logs of events in the newest 5,000 blocks, the oldest first. */
export async function logsAt(
  place: { readonly url: string },
  { address, events }: { readonly address: string; readonly events: readonly string[] },
): Promise<readonly Json[]> {
  const head = Number(await ask<string>(place, 'eth_blockNumber'));
  const fromBlock = quantity(Math.max(0, head - SEARCHED_BLOCKS));
  return ask<readonly Json[]>(place, 'eth_getLogs', { address, topics: [events], fromBlock, toBlock: 'latest' });
}

/** A log with its place. */
export type PlacedLog = ReturnType<typeof logPlace>;

/** Reads a log with its place. */
export function logPlace(raw: Json) {
  const fields = jsonFields(raw, 'log');
  const transaction = fields.data('transactionHash', 32);
  const { logs } = l1ReceiptOf({ transactionHash: transaction, status: '0x1', logs: [raw] });
  return {
    ...{ hash: fields.data('blockHash', 32), transaction, block: fields.number('blockNumber') },
    log: present(logs[0], 'log'),
  };
}
