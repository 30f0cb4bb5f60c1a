import { blockRefOf } from '../../../../src/protocol/derivation/attributes/block-ref.ts';
import type { L2Chain, Rollup } from '../../../../src/protocol/derivation/ports.ts';
import type { ExecutionPayloadEnvelope, Hex, L2BlockRef, PayloadAttributes } from '../../../../src/protocol/types.ts';
import { envelopeOf, scriptedEngine } from '../scripted/engine.ts';
import { modelHash } from './chain.ts';

/** An engine that "executes" by telling blocks apart as the model does. */
export interface ModelEngine extends L2Chain {
  build(parent: L2BlockRef, attributes: PayloadAttributes): L2BlockRef | null;
  head(): L2BlockRef;
  rewind(number: number): void;
  hashes(): readonly Hex[];
}

const isDeposit = (transaction: Hex) => transaction.startsWith('0x7e');

/** Sequence number and L1 origin hash in the calldata of L1 attributes of 164 bytes, with which the deposit ends. */
function attributesOf(deposit: Hex): { sequence: number; epochHash: Hex } {
  const data = deposit.slice(-2 * 164);
  return { sequence: Number.parseInt(data.slice(24, 40), 16), epochHash: `0x${data.slice(2 * 100, 2 * 132)}` };
}

/** With genesis only. `refused`: transactions that make a block invalid. */
export function modelEngine(rollup: Rollup, refused: ReadonlySet<Hex>): ModelEngine {
  const genesis: ExecutionPayloadEnvelope = { executionPayload: scriptedEngine(rollup).chain()[0]! };
  const blocks = new Map<Hex, ExecutionPayloadEnvelope>([[genesis.executionPayload.blockHash, genesis]]);
  let canonical = [genesis];
  const head = () => blockRefOf(rollup, canonical.at(-1)!.executionPayload);
  return {
    head,
    rewind(number) {
      canonical = canonical.slice(0, number + 1);
    },
    hashes: () => canonical.map(({ executionPayload }) => executionPayload.blockHash),
    payloadByHash: async (hash) => blocks.get(hash) ?? null,
    payloadByNumber: async (number) => canonical[number] ?? null,
    build(parent, attributes) {
      const users = attributes.transactions.filter((transaction) => !isDeposit(transaction));
      if (users.some((transaction) => refused.has(transaction))) return null;
      const { sequence, epochHash } = attributesOf(attributes.transactions[0]!);
      const deposits = attributes.transactions.length - users.length;
      const blockHash = modelHash(parent.hash, Number(attributes.timestamp), epochHash, sequence, deposits, users);
      const block = envelopeOf(rollup, { blockHash: parent.hash, blockNumber: parent.number }, attributes);
      const envelope = { ...block, executionPayload: { ...block.executionPayload, blockHash } };
      blocks.set(blockHash, envelope);
      canonical = [...canonical.slice(0, parent.number + 1), envelope];
      return head();
    },
  };
}
