import { envelopeToJson } from '../../../protocol/codec/payload-json.ts';
import type { ExecutionPayloadEnvelope } from '../../../protocol/types.ts';
import { httpClient } from '../../../rpc/client/http-client.ts';
import type { Logger } from '../../../system/program/log.ts';
import { pause } from '../../../system/time/pause.ts';

/** Decides which one of a rollup's sequencers makes blocks (op-node: `SequencerConductor`, kona: `Conductor`). */
export interface Conductor {
  /** Tells whether this node is the leader (op-node: `Leader`). @throws Error if the conductor does not answer */
  isLeader(): Promise<boolean>;
  /**
   * Commits a block to the consensus of the conductors before it is published (op-node: `CommitUnsafePayload`).
   * @throws Error if it is not committed
   */
  commit(envelope: ExecutionPayloadEnvelope): Promise<void>;
  /** Treats this node as the leader from now on (op-node: `OverrideLeader`): for the loss of all conductors. */
  overrideLeader(): void;
  close(): void;
}

/** Attempts of a call, and the pause between them in milliseconds. */
const TRIES = { most: 2, pause: 50 };

/** Creates a client of op-conductor's RPC (op-node, kona: `ConductorClient`). */
export function conductorClient(
  options: { readonly url: string; readonly timeoutMs: number },
  log: Logger,
  signal: AbortSignal,
): Conductor {
  const rpc = httpClient({ url: options.url });
  let isOverridden = false;

  async function call<Result>(method: string, params: readonly unknown[]): Promise<Result> {
    const deadline = performance.now() + options.timeoutMs;
    for (let tried = 1; ; tried++) {
      try {
        return await rpc.call<Result>(method, params, {
          timeoutMs: Math.max(1, Math.ceil(deadline - performance.now())),
          signal,
        });
      } catch (error) {
        if (tried >= TRIES.most || signal.aborted || performance.now() + TRIES.pause > deadline) throw error;
        await pause(TRIES.pause, signal);
      }
    }
  }

  return {
    isLeader: async () => isOverridden || (await call<boolean>('conductor_leader', [])),
    async commit(envelope) {
      if (!isOverridden) await call('conductor_commitUnsafePayload', [envelopeToJson(envelope)]);
    },
    overrideLeader() {
      log.warn('this node takes itself for the leader, whatever the conductor says');
      isOverridden = true;
    },
    close: () => rpc.close(),
  };
}
