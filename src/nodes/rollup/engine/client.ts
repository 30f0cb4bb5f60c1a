import { LRUCache } from 'lru-cache';
import { attributesToJson } from '../../../protocol/codec/attributes-json.ts';
import { payloadFromJson, payloadToJson } from '../../../protocol/codec/payload-json.ts';
import type { Rollup } from '../../../protocol/derivation/ports.ts';
import { lowerHex } from '../../../protocol/hex.ts';
import type { ExecutionPayloadEnvelope, Hex, PayloadAttributes, Seconds } from '../../../protocol/types.ts';
import { type HttpRefusal, type RpcClient, redactUrl, TransportError } from '../../../rpc/client/client.ts';
import { RpcError } from '../../../rpc/error.ts';
import { JWT_WINDOW } from '../../../rpc/jwt.ts';
import { envelopeOfBlock } from '../../rpc-types/block.ts';
import { EngineError, type EngineErrorKind } from './error.ts';
import type { ForkchoiceState } from './forkchoice.ts';

/** Settings of the client, and the parts that it works with. */
export interface EngineClientOptions {
  readonly rpc: RpcClient;
  readonly rollup: Rollup;
  /** URL and secret file of the engine, for the message about a refused token. */
  readonly url: string;
  readonly secretFile: string;
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
   * @throws EngineError `syncing` where it lacks blocks, `forkchoice`
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
   * @throws EngineError `invalid` where it breaks the rules, `syncing` where its parent is unknown
   */
  newPayload(envelope: ExecutionPayloadEnvelope): Promise<void>;
  payloadByHash(hash: Hex): Promise<ExecutionPayloadEnvelope | null>;
  payloadByNumber(number: number): Promise<ExecutionPayloadEnvelope | null>;
  /** Returns the block of a number below (or at) the engine's head. Only old blocks are requested from the engine. */
  payloadBelow(head: Hex, number: number): Promise<ExecutionPayloadEnvelope | null>;
  payloadByLabel(label: EngineLabel): Promise<ExecutionPayloadEnvelope | null>;
  /** Returns the receipts of a block as the engine returns them; null where it does not have the block. */
  receipts(hash: Hex): Promise<readonly unknown[] | null>;
  /** Returns the storage root of an account at a block (`eth_getProof`; op-service: `GetProof`). */
  storageRoot(address: Hex, blockHash: Hex): Promise<Hex>;
  close(): void;
}

interface PayloadStatus {
  readonly status: string;
  readonly validationError?: string | null;
}

/** Error codes of the Engine API (op-service: `ErrorCode`, `InvalidForkchoiceState`). */
const CODES: Readonly<Record<number, EngineErrorKind>> = {
  [-38001]: 'unknown-payload',
  [-38002]: 'forkchoice',
  [-38003]: 'attributes',
};

/** Envelopes cached by hash. */
const MAX_CACHED_ENVELOPES = 128;

/**
 * Creates the client. Method versions follow the rules at the block's time.
 * Counterpart in op-node: `ForkchoiceUpdatedVersion`, `NewPayloadVersion`, `GetPayloadVersion`.
 */
export function engineClient(options: EngineClientOptions): EngineClient {
  const { rpc, rollup } = options;
  const kept = new LRUCache<string, ExecutionPayloadEnvelope>({ max: MAX_CACHED_ENVELOPES });

  async function call<Result>(method: string, params: readonly unknown[]): Promise<Result> {
    try {
      return await rpc.call<Result>(method, params);
    } catch (error) {
      throw describe(options, method, error);
    }
  }

  async function block(method: string, param: string): Promise<ExecutionPayloadEnvelope | null> {
    const json = await call<Record<string, unknown> | null>(method, [param, true]);
    if (json === null) return null;
    try {
      return remembered(envelopeOfBlock(json, rollup.rulesAt));
    } catch (cause) {
      throw new EngineError('temporary', `${redactUrl(options.url)}: block ${param} is malformed`, cause);
    }
  }

  function remembered(envelope: ExecutionPayloadEnvelope): ExecutionPayloadEnvelope {
    kept.set(envelope.executionPayload.blockHash, envelope);
    return envelope;
  }

  function keptBelow(head: Hex, number: number): ExecutionPayloadEnvelope | undefined {
    let at = kept.get(head);
    while (at !== undefined && at.executionPayload.blockNumber > number) at = kept.get(at.executionPayload.parentHash);
    return at;
  }

  const payloadByNumber = (number: number) => block('eth_getBlockByNumber', `0x${number.toString(16)}`);

  async function forkchoiceUpdated(version: number, state: ForkchoiceState, attributes: unknown): Promise<Hex | null> {
    const answer = await call<{ payloadStatus: PayloadStatus; payloadId: Hex | null }>(
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

  return {
    chainId: async () => Number(await call('eth_chainId', [])),
    async forkchoice(state) {
      await forkchoiceUpdated(3, state, null);
    },
    async startBuild(state, attributes) {
      const { engine } = rollup.rulesAt(attributes.timestamp);
      const id = await forkchoiceUpdated(engine.forkchoiceUpdated, state, attributesToJson(attributes));
      if (id === null) throw new EngineError('temporary', 'the engine took the attributes but started no block');
      return id;
    },
    async getPayload(id, timestamp) {
      const { engine } = rollup.rulesAt(timestamp);
      const answer = await call<Record<string, unknown>>(`engine_getPayloadV${engine.getPayload}`, [id]);
      const root = answer['parentBeaconBlockRoot'];
      return remembered({
        executionPayload: payloadFromJson(answer['executionPayload']),
        ...(typeof root === 'string' ? { parentBeaconBlockRoot: lowerHex(root) } : {}),
      });
    },
    async newPayload(envelope) {
      const payload = envelope.executionPayload;
      const { engine } = rollup.rulesAt(payload.timestamp);
      const extra = [[], envelope.parentBeaconBlockRoot, []].slice(0, { 2: 0, 3: 2, 4: 3 }[engine.newPayload]);
      const answer = await call<PayloadStatus>(`engine_newPayloadV${engine.newPayload}`, [
        payloadToJson(payload),
        ...extra,
      ]);
      if (answer.status === 'VALID') return void remembered(envelope);
      const what = `block ${payload.blockNumber} (${payload.blockHash})`;
      if (answer.status === 'SYNCING' || answer.status === 'ACCEPTED')
        throw new EngineError('syncing', `the engine lacks ancestors of ${what}`);
      throw new EngineError('invalid', `the engine refuses ${what}: ${answer.validationError ?? answer.status}`);
    },
    payloadByHash: async (hash) => kept.get(hash) ?? block('eth_getBlockByHash', hash),
    payloadByNumber,
    payloadBelow: async (head, number) => keptBelow(head, number) ?? payloadByNumber(number),
    async payloadByLabel(label) {
      try {
        return await block('eth_getBlockByNumber', label);
      } catch (error) {
        // Some engines return an error instead of null before they have a block with the label.
        if (label !== 'latest' && error instanceof EngineError && error.cause instanceof RpcError) return null;
        throw error;
      }
    },
    receipts: (hash) => call('eth_getBlockReceipts', [hash]),
    async storageRoot(address, blockHash) {
      const proof = await call<{ storageHash: Hex }>('eth_getProof', [address, [], { blockHash }]);
      return proof.storageHash;
    },
    close: () => rpc.close(),
  };
}

/** Classifies a failed call by the caller's next step. */
function describe(options: EngineClientOptions, method: string, error: unknown): EngineError {
  if (error instanceof RpcError) {
    const kind = CODES[error.code] ?? 'temporary';
    return new EngineError(kind, `${method}: ${error.message} (${error.code})`, error);
  }
  const refusal = error instanceof TransportError ? error.refusal : undefined;
  if (refusal?.status === 401) return new EngineError('unauthorized', refusedToken(options, refusal), error);
  return new EngineError('temporary', `no answer to ${method}`, error);
}

/**
 * Explains a 401: clocks that differ by more than the token window, else secrets that differ.
 * Names the engine's reason.
 */
function refusedToken({ url, secretFile }: EngineClientOptions, refusal: HttpRefusal): string {
  const { reason, serverTime, localTime } = refusal;
  const time = (unixMs: number) => `${new Date(unixMs).toISOString().slice(0, 19)}Z`;
  const theirs = serverTime === undefined ? 'its clock is not stated' : `its clock ${time(serverTime)}`;
  const apart = serverTime === undefined ? 0 : Math.abs(serverTime - localTime) / 1000;
  const remedy =
    apart > JWT_WINDOW
      ? `synchronize the clocks of the two machines: they differ by ${Math.round(apart)} s, ` +
        `and tokens are valid for ${JWT_WINDOW} s`
      : `compare the secret file ${secretFile} (--l2.jwt-secret) with that of the execution client ` +
        '(--authrpc.jwtsecret): both must hold the same 32 bytes';
  const clocks = `our clock ${time(localTime)}, ${theirs}`;
  return `the engine at ${redactUrl(url)} refuses our token (HTTP 401): ${reason}; ${clocks}; ${remedy}`;
}
