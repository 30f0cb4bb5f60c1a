import { createHash } from 'node:crypto';
import { keySigner } from '../../../src/nodes/gossip/message/signature.ts';
import { payloadBlockHash } from '../../../src/protocol/codec/payload-header.ts';
import type { Rollup } from '../../../src/protocol/derivation/ports.ts';
import { rollupOf } from '../../../src/protocol/derivation/rollup.ts';
import type { ForkSchedule } from '../../../src/protocol/forks/index.ts';
import type { ExecutionPayload, ExecutionPayloadEnvelope, Hex, RollupConfig } from '../../../src/protocol/types.ts';
import { createLogger } from '../../../src/system/program/log.ts';
import { upTo } from '../../protocol/genesis/inputs.ts';

export const silent = createLogger({ level: 'silent', format: 'text', color: false, pid: false });
export const CHAIN_ID = 901;
const word = (byte: string) => `0x${byte.repeat(32)}` as Hex;
const zero = word('00');

/** A rollup with only what gossip needs: chain, times and forks. */
export function rollupAt(genesisTime: number, schedule: ForkSchedule = upTo('jovian')): Rollup {
  const config = {
    genesis: { l1: { hash: zero, number: 0 }, l2: { hash: zero, number: 0 }, l2_time: genesisTime },
    block_time: 2,
    l2_chain_id: CHAIN_ID,
  } as unknown as RollupConfig;
  return rollupOf(config, { schedule });
}

/** Returns a well-formed block with the given changes; its hash is right unless it is one of them. */
export function blockOf(
  rollup: Rollup,
  timestamp: number,
  changes: Partial<ExecutionPayload> & { parentBeaconBlockRoot?: Hex } = {},
): ExecutionPayloadEnvelope {
  const rules = rollup.rulesAt(timestamp);
  const { parentBeaconBlockRoot = word('0b'), ...fields } = changes;
  const { config } = rollup;
  const payload: ExecutionPayload = {
    parentHash: word('01'),
    feeRecipient: '0x4200000000000000000000000000000000000011',
    stateRoot: word('02'),
    receiptsRoot: word('03'),
    logsBloom: `0x${'00'.repeat(256)}`,
    prevRandao: word('04'),
    blockNumber: Math.round((timestamp - config.genesis.l2_time) / config.block_time),
    gasLimit: 30_000_000n,
    gasUsed: 21_000n,
    timestamp: BigInt(timestamp),
    extraData: '0x0100000000fa000000060000000000000000',
    baseFeePerGas: 1_000_000_000n,
    blockHash: zero,
    transactions: ['0x7e01', '0x02aa'],
    ...(rules.header.withdrawalsRoot === 'absent' ? {} : { withdrawals: [] as const }),
    ...(rules.header.beaconRoot ? { blobGasUsed: 0n, excessBlobGas: 0n } : {}),
    ...(rules.header.withdrawalsRoot === 'message-passer' ? { withdrawalsRoot: word('05') } : {}),
    ...fields,
  };
  const envelope: ExecutionPayloadEnvelope = {
    executionPayload: payload,
    ...(rules.header.beaconRoot ? { parentBeaconBlockRoot } : {}),
  };
  if (changes.blockHash !== undefined) return envelope;
  return { ...envelope, executionPayload: { ...payload, blockHash: payloadBlockHash(envelope, rules) } };
}

/** Returns a key by name. */
export function keyNamed(name: string): Uint8Array {
  return createHash('sha256').update(name).digest();
}

export const signer = keySigner(keyNamed('sequencer'));
