import fc from 'fast-check';
import type { ExecutionPayload, ExecutionPayloadEnvelope } from '../../src/protocol/types.ts';
import { address, data, hash, hexOfSize, uint64 } from './arbitrary.ts';

/** Payloads of a gossip version with any content; the block hash is any. */
export const payloadOf = (version: 1 | 2 | 3 | 4): fc.Arbitrary<ExecutionPayload> =>
  fc.record({
    parentHash: hash,
    feeRecipient: address,
    stateRoot: hash,
    receiptsRoot: hash,
    logsBloom: hexOfSize(256),
    prevRandao: hash,
    blockNumber: fc.maxSafeNat(),
    gasLimit: uint64,
    gasUsed: uint64,
    timestamp: uint64,
    extraData: data(32),
    baseFeePerGas: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    blockHash: hash,
    transactions: fc.array(data(80), { maxLength: 4 }),
    ...(version >= 2 ? { withdrawals: fc.constant([] as const) } : {}),
    ...(version >= 3 ? { blobGasUsed: uint64, excessBlobGas: uint64 } : {}),
    ...(version >= 4 ? { withdrawalsRoot: hash } : {}),
  }) as fc.Arbitrary<ExecutionPayload>;

/** {@link payloadOf} with what travels beside it. */
export const envelopeOf = (version: 1 | 2 | 3 | 4): fc.Arbitrary<ExecutionPayloadEnvelope> =>
  version < 3
    ? fc.record({ executionPayload: payloadOf(version) })
    : fc.record({ executionPayload: payloadOf(version), parentBeaconBlockRoot: hash });
