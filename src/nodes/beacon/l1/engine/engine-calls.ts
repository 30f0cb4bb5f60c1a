import { keccak256 } from '../../../../protocol/hash.ts';
import { hexToBytes, quantity } from '../../../../protocol/hex.ts';
import type { Rules } from '../../../../protocol/rules/rules.ts';
import type { Hex } from '../../../../protocol/types.ts';
import type { RpcClient } from '../../../../rpc/client/client.ts';
import { versionedHash } from '../../../kzg/kzg.ts';

/** What a block is to be. */
export interface BlockWish {
  readonly parent: Hex;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly feeRecipient: Hex;
  /** The transactions of the block in their order, without those of the pool. Absent: those of the pool. */
  readonly transactions?: readonly Hex[];
}

/** A block that the engine has built (Engine API: the answer of `engine_getPayload`). */
export interface BuiltPayload {
  readonly executionPayload: { readonly blockHash: Hex; readonly transactions: readonly Hex[] };
  readonly blobsBundle: {
    readonly commitments: readonly Hex[];
    readonly proofs: readonly Hex[];
    readonly blobs: readonly Hex[];
  };
  readonly executionRequests?: readonly Hex[];
}

/** Names of the blocks of a forkchoice (Engine API: `ForkchoiceStateV1`). */
export interface Heads {
  readonly head: Hex;
  readonly safe: Hex;
  readonly finalized: Hex;
}

interface Status {
  readonly status: string;
  readonly validationError?: string | null;
}

/** Time (ms) for the engine to build a block whose blobs get other proofs. */
const BUILD_TIMEOUT_MS = 120_000;

/** The Engine API of L1, with the method versions of each fork. */
export class EngineCalls {
  readonly #engine: RpcClient;
  readonly #rulesAt: (time: number) => Rules;

  constructor(engine: RpcClient, rulesAt: (time: number) => Rules) {
    this.#engine = engine;
    this.#rulesAt = rulesAt;
  }

  /** Makes a block the head. @throws RpcError, Error if the engine refuses it */
  async choose(heads: Heads, timestamp: number): Promise<void> {
    await this.#forkchoice(heads, timestamp, null);
  }

  /** Builds a block on a head. @throws RpcError -38003 if one of its transactions cannot run */
  async build(heads: Heads, wish: BlockWish): Promise<BuiltPayload> {
    const { timestamp } = wish;
    const { engine, attributes } = this.#rulesAt(timestamp);
    const { payloadId } = await this.#forkchoice(heads, timestamp, {
      timestamp: quantity(timestamp),
      // No consensus layer exists behind it: the parent's hash stands for randomness and for the beacon root.
      prevRandao: keccak256(hexToBytes(wish.parent)),
      suggestedFeeRecipient: wish.feeRecipient,
      ...(attributes.withdrawals ? { withdrawals: [] } : {}),
      ...(attributes.parentBeaconBlockRoot ? { parentBeaconBlockRoot: wish.parent } : {}),
      ...(wish.transactions === undefined ? {} : { transactions: wish.transactions, noTxPool: true }),
    });
    if (payloadId === null) throw new Error(`L1 builds no block on ${wish.parent}`);
    const options = { timeoutMs: BUILD_TIMEOUT_MS };
    return this.#engine.call<BuiltPayload>(`engine_getPayloadV${engine.getPayload}`, [payloadId], options);
  }

  /** Has the engine execute a block. @throws Error if it is invalid */
  async execute({ executionPayload, blobsBundle, executionRequests }: BuiltPayload, wish: BlockWish): Promise<void> {
    const { engine } = this.#rulesAt(wish.timestamp);
    const hashes = blobsBundle.commitments.map((commitment) => versionedHash(hexToBytes(commitment)));
    const status = await this.#engine.call<Status>(`engine_newPayloadV${engine.newPayload}`, [
      executionPayload,
      hashes,
      wish.parent,
      ...(executionRequests === undefined ? [] : [executionRequests]),
    ]);
    checkStatus(status, executionPayload.blockHash);
  }

  async #forkchoice({ head, safe, finalized }: Heads, timestamp: number, attributes: object | null) {
    const { engine } = this.#rulesAt(timestamp);
    const answer = await this.#engine.call<{ payloadStatus: Status; payloadId: Hex | null }>(
      `engine_forkchoiceUpdatedV${engine.forkchoiceUpdated}`,
      [{ headBlockHash: head, safeBlockHash: safe, finalizedBlockHash: finalized }, attributes],
    );
    checkStatus(answer.payloadStatus, head);
    return answer;
  }
}

function checkStatus({ status, validationError }: Status, hash: Hex): void {
  if (status !== 'VALID') throw new Error(`L1 answers ${status} for block ${hash}: ${validationError ?? 'no reason'}`);
}
