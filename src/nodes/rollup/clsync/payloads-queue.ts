import { hexLength } from '../../../protocol/hex.ts';
import type { ExecutionPayloadEnvelope, Hex } from '../../../protocol/types.ts';

/** Unsafe payloads that wait for their parent, by height (op-node: `PayloadsQueue`). The highest is evicted first. */
export interface PayloadsQueue {
  /** Returns false for a known block, and for one above all others of a full queue. */
  add(envelope: ExecutionPayloadEnvelope): boolean;
  /** Returns the lowest payload. */
  peek(): ExecutionPayloadEnvelope | undefined;
  remove(hash: Hex): void;
  /** Drops payloads at or below a height. */
  dropThrough(number: number): void;
  /** Empties the queue and returns the hashes that it held. */
  clear(): Hex[];
  readonly length: number;
  /** Bytes of all queued transactions (op-node: `payloadMemSize`). */
  readonly memSize: number;
}

/** Creates an empty queue. */
export function payloadsQueue(size: number): PayloadsQueue {
  let entries: ExecutionPayloadEnvelope[] = [];
  const numberOf = (envelope: ExecutionPayloadEnvelope) => envelope.executionPayload.blockNumber;
  return {
    add(envelope) {
      const { blockHash } = envelope.executionPayload;
      if (entries.some((entry) => entry.executionPayload.blockHash === blockHash)) return false;
      const at = entries.findIndex((entry) => numberOf(entry) > numberOf(envelope));
      entries.splice(at < 0 ? entries.length : at, 0, envelope);
      if (entries.length <= size) return true;
      return entries.pop() !== envelope;
    },
    peek: () => entries[0],
    remove(hash) {
      entries = entries.filter((entry) => entry.executionPayload.blockHash !== hash);
    },
    dropThrough(number) {
      entries = entries.filter((entry) => numberOf(entry) > number);
    },
    clear() {
      const hashes = entries.map((entry) => entry.executionPayload.blockHash);
      entries = [];
      return hashes;
    },
    get length() {
      return entries.length;
    },
    get memSize() {
      const lists = entries.map(({ executionPayload }) => executionPayload.transactions);
      return lists.reduce((total, list) => list.reduce((sum, item) => sum + hexLength(item), total), 0);
    },
  };
}
