import { keccak256 } from '../../protocol/hash.ts';
import { bytesToHex, lowerHex } from '../../protocol/hex.ts';
import type { Rules } from '../../protocol/rules/rules.ts';
import type { ExecutionPayloadEnvelope, Hex } from '../../protocol/types.ts';
import { jsonObjects } from '../../rpc/json-object.ts';
import { encodeTransaction, type TransactionJson } from './transaction.ts';

/**
 * Builds the payload envelope of an L2 block from `eth_getBlockBy…` with full transactions.
 * Counterpart in op-service: `RPCBlock.ExecutionPayloadEnvelope`.
 */
export function envelopeOfBlock(
  json: Readonly<Record<string, unknown>>,
  rulesAt: (time: bigint) => Rules,
): ExecutionPayloadEnvelope {
  const timestamp = BigInt(String(json['timestamp']));
  const rules = rulesAt(timestamp);
  const text = (name: string) => lowerHex(String(json[name]));
  const number = (name: string) => Number(json[name]);
  return {
    executionPayload: {
      parentHash: text('parentHash'),
      feeRecipient: text('miner'),
      stateRoot: text('stateRoot'),
      receiptsRoot: text('receiptsRoot'),
      logsBloom: text('logsBloom'),
      prevRandao: text('mixHash'),
      blockNumber: number('number'),
      gasLimit: BigInt(text('gasLimit')),
      gasUsed: BigInt(text('gasUsed')),
      timestamp,
      extraData: text('extraData'),
      baseFeePerGas: BigInt(text('baseFeePerGas')),
      blockHash: text('hash'),
      transactions: jsonObjects(json['transactions'], 'transactions of a block').map(encoded),
      ...(rules.header.withdrawalsRoot === 'absent' ? {} : { withdrawals: [] as const }),
      ...(rules.header.beaconRoot
        ? { blobGasUsed: BigInt(text('blobGasUsed')), excessBlobGas: BigInt(text('excessBlobGas')) }
        : {}),
      ...(rules.header.withdrawalsRoot === 'message-passer' ? { withdrawalsRoot: text('withdrawalsRoot') } : {}),
    },
    ...(rules.header.beaconRoot ? { parentBeaconBlockRoot: text('parentBeaconBlockRoot') } : {}),
  };
}

function encoded(json: TransactionJson): Hex {
  const bytes = encodeTransaction(json);
  if (keccak256(bytes) !== json['hash'])
    throw new Error(`the fields of transaction ${String(json['hash'])} do not hash to it`);
  return bytesToHex(bytes);
}
