import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import type { Hex, L1Header } from '../../../src/protocol/types.ts';
import type { ScriptedL1 } from '../../protocol/derivation/scripted/l1.ts';
import { type AnsweringNode, answeringNode } from '../dashboard/rpc-answers.ts';

const quantity = (value: number | bigint) => `0x${value.toString(16)}`;

/** A scripted L1 behind JSON-RPC, with the plan of a network upon it. */
export interface ServedL1 extends AnsweringNode {
  readonly plan: Plan;
  /** Numbers of the blocks that were read with their transactions. */
  readonly read: number[];
}

/** Serves the blocks, receipts and head of an L1. */
export async function servedL1(l1: ScriptedL1): Promise<ServedL1> {
  const read: number[] = [];
  const blockOf = async (header: L1Header | null) => {
    if (header === null) return null;
    const { number, timestamp, baseFeePerGas, excessBlobGas, ...hashes } = header;
    const transactions = (await l1.transactions(header.hash)) ?? [];
    return {
      ...hashes,
      ...{ number: quantity(number), timestamp: quantity(timestamp), baseFeePerGas: quantity(baseFeePerGas) },
      excessBlobGas: quantity(excessBlobGas ?? 0),
      transactions: transactions.map((each) => ({ ...each, type: quantity(each.type) })),
    };
  };
  const node = await answeringNode(async (method, [first]) => {
    if (method === 'eth_blockNumber') return quantity(l1.head().number);
    if (method === 'eth_getBlockReceipts') {
      const receipts = await l1.receipts((first as { readonly blockHash: Hex }).blockHash);
      return (receipts ?? []).map(({ logs, ...receipt }) => ({
        ...receipt,
        status: receipt.status ? '0x1' : '0x0',
        logs: logs.map((log) => ({ ...log, logIndex: quantity(log.logIndex) })),
      }));
    }
    if (method === 'eth_getBlockByHash') return blockOf(await l1.headerByHash(first as Hex));
    read.push(Number(first));
    return blockOf(await l1.headerByNumber(Number(first)));
  });
  const plan = { network: { l1: { rpc: node.url, beacon: node.url }, chains: [] } } as unknown as Plan;
  return { ...node, plan, read };
}
