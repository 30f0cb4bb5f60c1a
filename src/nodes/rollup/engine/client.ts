import { attributesToJson } from '../../../protocol/codec/attributes-json.ts';
import { payloadFromJson, payloadToJson } from '../../../protocol/codec/payload-json.ts';
import type { Rollup } from '../../../protocol/derivation/ports.ts';
import { lowerHex } from '../../../protocol/hex.ts';
import type { ExecutionPayloadEnvelope, Hex, PayloadAttributes, Seconds } from '../../../protocol/types.ts';
import { type RpcClient, redactUrl } from '../../../rpc/client/client.ts';
import { RpcError } from '../../../rpc/error.ts';
import { envelopeOfBlock } from '../../rpc-types/block.ts';
import { type EngineAddress, engineErrorOf } from './call-error.ts';
import { EnvelopeCache } from './envelope-cache.ts';
import { EngineError } from './error.ts';
import type { ForkchoiceState } from './forkchoice.ts';

/** Settings of the client, and the parts that it works with. */
export interface EngineClientOptions extends EngineAddress {
  readonly rpc: RpcClient;
  readonly rollup: Rollup;
}

/** A label of an L2 block (op-service: `BlockLabel`). */
export type EngineLabel = 'latest' | 'safe' | 'finalized';

/**
 * The execution client as the rollup node drives and reads it (op-service, kona: `EngineClient`).
 * All calls throw EngineError.
 */
export interface EngineClient {
  chainId(): Promise<number>;
  /**
   * Sets the engine's heads (op-service: `ForkchoiceUpdate`).
   * @throws EngineError `syncing` if it lacks blocks, `forkchoice`
   */
  forkchoice(state: ForkchoiceState): Promise<void>;
  /**
   * Sets the engine's heads and starts a block on the first (op-node: `startPayload`). Returns the payload id.
   * @throws EngineError `attributes` too
   */
  startBuild(state: ForkchoiceState, attributes: PayloadAttributes): Promise<Hex>;
  /**
   * Returns the block of a payload id (op-service: `GetPayload`). `timestamp`: that of the block.
   * @throws EngineError `unknown-payload` too
   */
  getPayload(id: Hex, timestamp: Seconds): Promise<ExecutionPayloadEnvelope>;
  /**
   * Executes a payload (op-service: `NewPayload`).
   * @throws EngineError `invalid` if it breaks the rules, `syncing` if its parent is unknown
   */
  newPayload(envelope: ExecutionPayloadEnvelope): Promise<void>;
  payloadByHash(hash: Hex): Promise<ExecutionPayloadEnvelope | null>;
  payloadByNumber(number: number): Promise<ExecutionPayloadEnvelope | null>;
  /** Returns the block of a number below (or at) the engine's head. Only old blocks are requested from the engine. */
  payloadBelow(head: Hex, number: number): Promise<ExecutionPayloadEnvelope | null>;
  payloadByLabel(label: EngineLabel): Promise<ExecutionPayloadEnvelope | null>;
  /** Returns the receipts of a block as the engine returns them; null if it does not have the block. */
  receipts(hash: Hex): Promise<readonly unknown[] | null>;
  /** Returns the storage root of an account at a block (`eth_getProof`; op-service: `GetProof`). */
  storageRoot(address: Hex, blockHash: Hex): Promise<Hex>;
  close(): void;
}

interface PayloadStatus {
  readonly status: string;
  readonly validationError?: string | null;
}

/**
 * Calls the engine over JSON-RPC. Method versions follow the rules at the block's time.
 * Counterpart in op-node: `ForkchoiceUpdatedVersion`, `NewPayloadVersion`, `GetPayloadVersion`.
 */
export class RpcEngineClient implements EngineClient {
  readonly #options: EngineClientOptions;
  readonly #envelopes = new EnvelopeCache();

  constructor(options: EngineClientOptions) {
    this.#options = options;
  }

  async chainId(): Promise<number> {
    return Number(await this.#call('eth_chainId', []));
  }

  async forkchoice(state: ForkchoiceState): Promise<void> {
    await this.#forkchoiceUpdated(3, state, null);
  }

  async startBuild(state: ForkchoiceState, attributes: PayloadAttributes): Promise<Hex> {
    const { engine } = this.#options.rollup.rulesAt(attributes.timestamp);
    const id = await this.#forkchoiceUpdated(engine.forkchoiceUpdated, state, attributesToJson(attributes));
    if (id === null) throw new EngineError('temporary', 'the engine took the attributes but started no block');
    return id;
  }

  async getPayload(id: Hex, timestamp: Seconds): Promise<ExecutionPayloadEnvelope> {
    const { engine } = this.#options.rollup.rulesAt(timestamp);
    const answer = await this.#call<Record<string, unknown>>(`engine_getPayloadV${engine.getPayload}`, [id]);
    const root = answer['parentBeaconBlockRoot'];
    return this.#envelopes.add({
      executionPayload: payloadFromJson(answer['executionPayload']),
      ...(typeof root === 'string' ? { parentBeaconBlockRoot: lowerHex(root) } : {}),
    });
  }

  async newPayload(envelope: ExecutionPayloadEnvelope): Promise<void> {
    const payload = envelope.executionPayload;
    const { engine } = this.#options.rollup.rulesAt(payload.timestamp);
    const extra = [[], envelope.parentBeaconBlockRoot, []].slice(0, { 2: 0, 3: 2, 4: 3 }[engine.newPayload]);
    const answer = await this.#call<PayloadStatus>(`engine_newPayloadV${engine.newPayload}`, [
      payloadToJson(payload),
      ...extra,
    ]);
    if (answer.status === 'VALID') return void this.#envelopes.add(envelope);
    const what = `block ${payload.blockNumber} (${payload.blockHash})`;
    if (answer.status === 'SYNCING' || answer.status === 'ACCEPTED')
      throw new EngineError('syncing', `the engine lacks ancestors of ${what}`);
    throw new EngineError('invalid', `the engine refuses ${what}: ${answer.validationError ?? answer.status}`);
  }

  async payloadByHash(hash: Hex): Promise<ExecutionPayloadEnvelope | null> {
    return this.#envelopes.get(hash) ?? this.#block('eth_getBlockByHash', hash);
  }

  payloadByNumber(number: number): Promise<ExecutionPayloadEnvelope | null> {
    return this.#block('eth_getBlockByNumber', `0x${number.toString(16)}`);
  }

  async payloadBelow(head: Hex, number: number): Promise<ExecutionPayloadEnvelope | null> {
    return this.#envelopes.below(head, number) ?? this.payloadByNumber(number);
  }

  async payloadByLabel(label: EngineLabel): Promise<ExecutionPayloadEnvelope | null> {
    try {
      return await this.#block('eth_getBlockByNumber', label);
    } catch (error) {
      // Some engines return an error instead of null before they have a block with the label.
      if (label !== 'latest' && error instanceof EngineError && error.cause instanceof RpcError) return null;
      throw error;
    }
  }

  receipts(hash: Hex): Promise<readonly unknown[] | null> {
    return this.#call('eth_getBlockReceipts', [hash]);
  }

  async storageRoot(address: Hex, blockHash: Hex): Promise<Hex> {
    const proof = await this.#call<{ storageHash: Hex }>('eth_getProof', [address, [], { blockHash }]);
    return proof.storageHash;
  }

  close(): void {
    this.#options.rpc.close();
  }

  async #call<Result>(method: string, params: readonly unknown[]): Promise<Result> {
    try {
      return await this.#options.rpc.call<Result>(method, params);
    } catch (error) {
      throw engineErrorOf(this.#options, method, error);
    }
  }

  async #block(method: string, param: string): Promise<ExecutionPayloadEnvelope | null> {
    const json = await this.#call<Record<string, unknown> | null>(method, [param, true]);
    if (json === null) return null;
    try {
      return this.#envelopes.add(envelopeOfBlock(json, this.#options.rollup.rulesAt));
    } catch (cause) {
      throw new EngineError('temporary', `${redactUrl(this.#options.url)}: block ${param} is malformed`, cause);
    }
  }

  async #forkchoiceUpdated(version: number, state: ForkchoiceState, attributes: unknown): Promise<Hex | null> {
    const answer = await this.#call<{ payloadStatus: PayloadStatus; payloadId: Hex | null }>(
      `engine_forkchoiceUpdatedV${version}`,
      [state, attributes],
    );
    const { status } = answer.payloadStatus;
    if (status === 'VALID') return answer.payloadId;
    if (status === 'SYNCING' || status === 'ACCEPTED')
      throw new EngineError('syncing', `the engine is syncing towards ${state.headBlockHash}`);
    throw new EngineError(
      attributes === null ? 'forkchoice' : 'attributes',
      `the engine refuses head ${state.headBlockHash}: ${answer.payloadStatus.validationError ?? status}`,
    );
  }
}
