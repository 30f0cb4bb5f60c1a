/**
 * Version of the SSZ execution payload, equal to that of its gossip topic (op-service: `BlockVersion`).
 * Versions: 1 bedrock, 2 with withdrawals, 3 with blob fields, 4 with withdrawalsRoot.
 */
export type PayloadVersion = 1 | 2 | 3 | 4;

/** Bytes of the fixed part by version (op-service: `executionPayloadFixedPart`). */
export const FIXED_SIZE: Readonly<Record<PayloadVersion, number>> = { 1: 508, 2: 512, 3: 528, 4: 560 };

/** Bytes of one withdrawal: index, validator index, address, amount. */
export const WITHDRAWAL_SIZE = 44;

/** Bytes of an offset. */
export const OFFSET_SIZE = 4;
