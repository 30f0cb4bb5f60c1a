import type { ExecutionPayloadEnvelope, Hex, PayloadAttributes, Seconds } from '../../../protocol/types.ts';
import { type Traces, traceTime } from '../../../system/channel/supervised-traces.ts';
import { type EngineClientOptions, RpcEngineClient } from './client.ts';
import type { ForkchoiceState } from './forkchoice.ts';

/** Builds whose start is remembered: one that is never sealed is forgotten. */
const MAX_BUILDS = 16;

/**
 * An engine's client that marks builds, seals, imports, safe and final heads, for the traces of blocks.
 * It measures nothing while the supervisor takes no marks.
 */
export class MarkedEngineClient extends RpcEngineClient {
  readonly #traces: Traces;
  /** Start of each build by its payload id: a block has no hash before its seal. */
  readonly #builds = new Map<Hex, number>();
  #safe: Hex | undefined;
  #finalized: Hex | undefined;

  constructor(options: EngineClientOptions, traces: Traces) {
    super(options);
    this.#traces = traces;
  }

  override async forkchoice(state: ForkchoiceState): Promise<void> {
    await super.forkchoice(state);
    this.#markHeads(state);
  }

  override async startBuild(state: ForkchoiceState, attributes: PayloadAttributes): Promise<Hex> {
    const from = traceTime();
    const id = await super.startBuild(state, attributes);
    if (!this.#traces.isOn) return id;
    this.#builds.set(id, from);
    const [oldest] = this.#builds.keys();
    if (this.#builds.size > MAX_BUILDS && oldest !== undefined) this.#builds.delete(oldest);
    this.#markHeads(state);
    return id;
  }

  override async getPayload(id: Hex, timestamp: Seconds): Promise<ExecutionPayloadEnvelope> {
    const from = traceTime();
    const envelope = await super.getPayload(id, timestamp);
    const since = this.#builds.get(id);
    this.#builds.delete(id);
    if (!this.#traces.isOn) return envelope;
    const block = blockOf(envelope);
    if (since !== undefined) this.#traces.mark({ mark: 'build', ...block, from: since, to: from });
    this.#traces.mark({ mark: 'seal', ...block, from, to: traceTime() });
    return envelope;
  }

  override async newPayload(envelope: ExecutionPayloadEnvelope): Promise<void> {
    const from = traceTime();
    await super.newPayload(envelope);
    if (this.#traces.isOn) this.#traces.mark({ mark: 'import', ...blockOf(envelope), from, to: traceTime() });
  }

  #markHeads({ safeBlockHash: safe, finalizedBlockHash: finalized }: ForkchoiceState): void {
    if (!this.#traces.isOn) return;
    const at = traceTime();
    if (safe !== this.#safe) this.#traces.mark({ mark: 'safe', of: safe, from: at, to: at });
    if (finalized !== this.#finalized) this.#traces.mark({ mark: 'finalized', of: finalized, from: at, to: at });
    this.#safe = safe;
    this.#finalized = finalized;
  }
}

/** Marks that a block went out by gossip, or came by it. */
export function markGossip(traces: Traces, mark: 'publish' | 'receive', envelope: ExecutionPayloadEnvelope): void {
  if (!traces.isOn) return;
  const at = traceTime();
  traces.mark({ mark, ...blockOf(envelope), from: at, to: at });
}

function blockOf({ executionPayload }: ExecutionPayloadEnvelope) {
  const { blockHash: of, blockNumber: number, parentHash: parent, transactions } = executionPayload;
  return { of, number, parent, transactions: transactions.length };
}
