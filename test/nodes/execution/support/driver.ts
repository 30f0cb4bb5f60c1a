import { encodeDeposit } from '../../../../src/protocol/codec/deposit.ts';
import { L1_ATTRIBUTES_DEPOSITOR, PREDEPLOYS } from '../../../../src/protocol/execution/predeploys.ts';
import { type ForkSchedule, rulesAt } from '../../../../src/protocol/forks/index.ts';
import { keccak256Text } from '../../../../src/protocol/hash.ts';
import { bytesToHex, quantity } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import type { RpcClient } from '../../../../src/rpc/client/client.ts';
import { GAS_LIMIT } from './genesis.ts';

export const ZERO: Hex = `0x${'00'.repeat(32)}`;

export interface DepositFields {
  readonly from?: Hex;
  readonly to?: Hex | null;
  readonly mint?: bigint;
  readonly value?: bigint;
  readonly gas?: number;
  readonly data?: Hex;
  readonly isSystemTransaction?: boolean;
}

let deposits = 0;

/** Encodes a user deposit with a new source hash. */
export function deposit(fields: DepositFields): Hex {
  const sourceHash = bytesToHex(keccak256Text(`deposit ${deposits++}`));
  const {
    from = '0x00000000000000000000000000000000000000aa',
    to = null,
    mint = 0n,
    value = 0n,
    gas = 1_000_000,
    data = '0x',
    isSystemTransaction = false,
  } = fields;
  return bytesToHex(encodeDeposit({ sourceHash, from, to, mint, value, gas, isSystemTransaction, data }));
}

export function l1Info(number: number): Hex {
  return bytesToHex(
    encodeDeposit({
      sourceHash: bytesToHex(keccak256Text(`l1 info ${number}`)),
      from: L1_ATTRIBUTES_DEPOSITOR,
      to: PREDEPLOYS.l1Block,
      mint: 0n,
      value: 0n,
      gas: 1_000_000,
      isSystemTransaction: false,
      data: '0x',
    }),
  );
}

export interface Payload {
  readonly envelope: Readonly<Record<string, unknown>> & { executionPayload: Readonly<Record<string, unknown>> };
  readonly hash: Hex;
  readonly number: number;
  readonly timestamp: number;
}

export type Status = { status: string; latestValidHash: Hex | null; validationError: string | null };

/** Drives one node through the Engine API, as a rollup node does. */
export class Driver {
  readonly schedule: ForkSchedule;
  readonly engine: RpcClient;

  constructor(engine: RpcClient, schedule: ForkSchedule) {
    this.engine = engine;
    this.schedule = schedule;
  }

  attributes(
    timestamp: number,
    transactions: readonly Hex[],
    fields: Record<string, unknown> = {},
  ): Record<string, unknown> {
    const { attributes } = rulesAt(this.schedule, timestamp);
    return {
      timestamp: quantity(timestamp),
      prevRandao: bytesToHex(keccak256Text(`randao ${timestamp}`)),
      suggestedFeeRecipient: PREDEPLOYS.sequencerFeeVault,
      ...(attributes.withdrawals ? { withdrawals: [] } : {}),
      ...(attributes.parentBeaconBlockRoot
        ? { parentBeaconBlockRoot: bytesToHex(keccak256Text(`beacon ${timestamp}`)) }
        : {}),
      transactions,
      noTxPool: false,
      gasLimit: quantity(GAS_LIMIT),
      ...(attributes.eip1559Params ? { eip1559Params: '0x0000000000000000' } : {}),
      ...(attributes.minBaseFee ? { minBaseFee: '0x0' } : {}),
      ...fields,
    };
  }

  async makeCanonical(
    head: Hex,
    attributes?: Record<string, unknown>,
    safe: Hex = ZERO,
  ): Promise<{ payloadStatus: Status; payloadId: Hex | null }> {
    const time = attributes === undefined ? undefined : Number(attributes['timestamp']);
    const version = time === undefined ? 3 : rulesAt(this.schedule, time).engine.forkchoiceUpdated;
    const state = { headBlockHash: head, safeBlockHash: safe, finalizedBlockHash: safe };
    return this.engine.call(`engine_forkchoiceUpdatedV${version}`, [state, attributes ?? null]);
  }

  async payload(id: Hex, timestamp: number): Promise<Payload> {
    const version = rulesAt(this.schedule, timestamp).engine.getPayload;
    const envelope = await this.engine.call<Payload['envelope']>(`engine_getPayloadV${version}`, [id]);
    const { blockHash, blockNumber } = envelope.executionPayload as { blockHash: Hex; blockNumber: Hex };
    return { envelope, hash: blockHash, number: Number(blockNumber), timestamp };
  }

  async import(payload: Payload): Promise<Status> {
    const version = rulesAt(this.schedule, payload.timestamp).engine.newPayload;
    const { executionPayload, parentBeaconBlockRoot } = payload.envelope;
    const extra = version >= 3 ? [[], parentBeaconBlockRoot] : [];
    return this.engine.call(`engine_newPayloadV${version}`, [
      executionPayload,
      ...extra,
      ...(version >= 4 ? [[]] : []),
    ]);
  }

  /** Builds a block on the head, stores it and makes it the head. `until` is awaited while it is built. */
  async build(
    parent: Hex,
    timestamp: number,
    transactions: readonly Hex[],
    options: { fields?: Record<string, unknown>; until?: () => Promise<void> } = {},
  ): Promise<Payload> {
    const attributes = this.attributes(timestamp, transactions, options.fields ?? {});
    const { payloadStatus, payloadId } = await this.makeCanonical(parent, attributes);
    if (payloadId === null) throw new Error(`no payload: ${JSON.stringify(payloadStatus)}`);
    await options.until?.();
    const payload = await this.payload(payloadId, timestamp);
    const status = await this.import(payload);
    if (status.status !== 'VALID') throw new Error(`own payload refused: ${JSON.stringify(status)}`);
    await this.makeCanonical(payload.hash);
    return payload;
  }
}
