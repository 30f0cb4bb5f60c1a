import { u256be } from '../../../../protocol/bytes.ts';
import type { ReceiptLog } from '../../../../protocol/codec/receipt.ts';
import { bytesToHex } from '../../../../protocol/hex.ts';
import type { Hex } from '../../../../protocol/types.ts';
import { type FrameNode, FrameTracer } from './frame-tracer.ts';

/** Address of the logs of plain transfers in a simulation (execution-apis, eth_simulateV1). */
const ETHER: Hex = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
/** Transfer(address,address,uint256) */
const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/**
 * Returns the logs of a transaction, with one more for each ether transfer, in order.
 * Counterparts: `newTracer` of geth (internal/ethapi/logtracer.go), `TransferInspector` of revm-inspectors.
 */
export class TransferTracer extends FrameTracer {
  result(): ReceiptLog[] {
    return this.root === undefined ? [] : logsOf(this.root);
  }
}

function logsOf(node: FrameNode): ReceiptLog[] {
  if (node.end.error !== undefined) return [];
  const logs: ReceiptLog[] = [];
  if (node.value > 0n && node.type !== 'DELEGATECALL' && node.type !== 'CALLCODE') logs.push(transfer(node));
  let calls = 0;
  for (const { log, position } of node.logs) {
    for (const call of node.calls.slice(calls, position)) logs.push(...logsOf(call));
    calls = position;
    logs.push({ address: log.address, topics: log.topics.map(bytesToHex), data: bytesToHex(log.data) });
  }
  return [...logs, ...node.calls.slice(calls).flatMap(logsOf)];
}

function transfer({ from, to, value }: FrameNode): ReceiptLog {
  const padded = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`;
  return { address: ETHER, topics: [TRANSFER, padded(from), padded(to)], data: bytesToHex(u256be(value)) };
}
