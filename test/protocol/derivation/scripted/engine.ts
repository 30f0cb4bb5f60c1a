import { toNumber } from '../../../../src/protocol/bytes.ts';
import { blockRefOf } from '../../../../src/protocol/derivation/attributes/block-ref.ts';
import type { L2Chain, Rollup } from '../../../../src/protocol/derivation/ports.ts';
import { keccak256Text } from '../../../../src/protocol/hash.ts';
import { bytesToHex, hexToSized } from '../../../../src/protocol/hex.ts';
import type {
  ExecutionPayload,
  ExecutionPayloadEnvelope,
  Hex,
  L2BlockRef,
  PayloadAttributes,
} from '../../../../src/protocol/types.ts';
import { hashOf } from './rollup.ts';

/** An engine that "executes" by hashing: equal parents and attributes make equal blocks. */
export interface ScriptedEngine extends L2Chain {
  /** Transactions that make a block invalid. */
  readonly refused: Set<Hex>;
  /** The child of a block; null if it is invalid. Becomes part of the canonical chain. */
  build(parent: Hex, attributes: PayloadAttributes): L2BlockRef | null;
  head(): L2BlockRef;
  /** Makes a block of the canonical chain its head. */
  rewind(number: number): void;
  /** The canonical chain from genesis on. */
  chain(): readonly ExecutionPayload[];
  /** While set, every call is rejected. */
  failing: boolean;
}

/** An engine that has the rollup's genesis block. */
export function scriptedEngine(rollup: Rollup): ScriptedEngine {
  const blocks = new Map<Hex, ExecutionPayloadEnvelope>();
  let canonical: ExecutionPayloadEnvelope[] = [{ executionPayload: genesisPayload(rollup) }];
  blocks.set(canonical[0]!.executionPayload.blockHash, canonical[0]!);
  const answer = <T>(value: T): Promise<T> =>
    engine.failing ? Promise.reject(new Error('the engine does not answer')) : Promise.resolve(value);

  const engine: ScriptedEngine = {
    failing: false,
    refused: new Set(),
    head: () => blockRefOf(rollup, canonical.at(-1)!.executionPayload),
    chain: () => canonical.map(({ executionPayload }) => executionPayload),
    rewind(number) {
      canonical = canonical.slice(0, number + 1);
    },
    payloadByHash: (hash) => answer(blocks.get(hash) ?? null),
    payloadByNumber: (number) => answer(canonical[number] ?? null),
    build(parentHash, attributes) {
      if (attributes.transactions.some((transaction) => engine.refused.has(transaction))) return null;
      const parent = blocks.get(parentHash)!.executionPayload;
      const envelope = envelopeOf(rollup, parent, attributes);
      blocks.set(envelope.executionPayload.blockHash, envelope);
      canonical = [...canonical.slice(0, parent.blockNumber + 1), envelope];
      return engine.head();
    },
  };
  return engine;
}

/** The block that attributes make upon a parent, its hash over all of it. */
export function envelopeOf(
  rollup: Rollup,
  parent: Pick<ExecutionPayload, 'blockHash' | 'blockNumber'>,
  attributes: PayloadAttributes,
): ExecutionPayloadEnvelope {
  const { parentBeaconBlockRoot, transactions, timestamp, gasLimit, withdrawals, prevRandao } = attributes;
  const content = {
    ...EMPTY,
    parentHash: parent.blockHash,
    feeRecipient: attributes.suggestedFeeRecipient,
    prevRandao,
    blockNumber: parent.blockNumber + 1,
    gasLimit,
    timestamp,
    extraData: extraDataOf(rollup, attributes),
    transactions,
    ...(withdrawals && { withdrawals }),
  };
  const text = JSON.stringify([content, parentBeaconBlockRoot], (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  const executionPayload = { ...content, blockHash: bytesToHex(keccak256Text(text)) };
  return { executionPayload, ...(parentBeaconBlockRoot && { parentBeaconBlockRoot }) };
}

const EMPTY = {
  stateRoot: hashOf('state'),
  receiptsRoot: hashOf('receipts'),
  logsBloom: '0x',
  gasUsed: 0n,
  baseFeePerGas: 1n,
} as const;

function genesisPayload(rollup: Rollup): ExecutionPayload {
  const { l2, l2_time: timestamp, system_config: config } = rollup.config.genesis;
  return {
    ...EMPTY,
    parentHash: hashOf(''),
    feeRecipient: `0x${'00'.repeat(20)}`,
    prevRandao: hashOf(''),
    blockNumber: l2.number,
    gasLimit: BigInt(config.gasLimit),
    timestamp: BigInt(timestamp),
    extraData: '0x',
    blockHash: l2.hash,
    transactions: [],
  };
}

function extraDataOf(rollup: Rollup, { timestamp, eip1559Params, minBaseFee = 0 }: PayloadAttributes): Hex {
  if (eip1559Params === undefined) return '0x';
  const rules = rollup.rulesAt(timestamp);
  const bytes = hexToSized(eip1559Params, 8);
  const params = { denominator: toNumber(bytes.subarray(0, 4)), elasticity: toNumber(bytes.subarray(4)), minBaseFee };
  return rules.extraData.encode(params, rules.eip1559.constants(rollup.config.chain_op_config));
}
