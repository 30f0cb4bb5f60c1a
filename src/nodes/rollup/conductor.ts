import { envelopeToJson } from '../../protocol/codec/payload-json.ts';
import type { ExecutionPayloadEnvelope } from '../../protocol/types.ts';
import { httpClient } from '../../rpc/http-client.ts';
import type { Logger } from '../../system/log.ts';
import { pause } from '../../system/pause.ts';

/** Who leads the sequencers of a rollup, of which one makes blocks. */
export interface Conductor {
  /** Whether this node leads. @throws Error where the conductor does not answer */
  isLeader(): Promise<boolean>;
  /** Settles a block before anybody hears of it. @throws Error where it is not settled */
  commit(envelope: ExecutionPayloadEnvelope): Promise<void>;
  /** From now on this node takes itself for the leader: for when the conductors are lost. */
  overrideLeader(): void;
  close(): void;
}

/** Tries of a call, and milliseconds between them. */
const TRIES = { most: 2, pause: 50 };

/** A client of op-conductor's RPC. */
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
