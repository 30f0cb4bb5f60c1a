import { quantity } from '../../../protocol/hex.ts';
import { type RpcClient, redactUrl } from '../../../rpc/client/client.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { type Channel, standaloneChannel } from '../../../system/channel/channel.ts';
import type { Activity } from '../../../system/channel/quiesce.ts';
import type { Logger } from '../../../system/program/log.ts';
import { type Controller, type DaLimits, intensityOf, limitsAt, type ThrottlePolicy } from './throttle-controller.ts';

/** An execution client that receives the limits. */
export interface ThrottleTarget {
  readonly url: string;
  readonly rpc: RpcClient;
}

/** The current throttling, in the fields of op-batcher's admin method (op-batcher: `ThrottleControllerInfo`). */
export interface ThrottleState {
  readonly type: Controller;
  readonly threshold: number;
  readonly current_load: number;
  readonly intensity: number;
  readonly max_tx_size: number;
  readonly max_block_size: number;
}

/** Sets the execution clients' limits by the load (op-batcher: `throttlingLoop`). Methods never throw. */
export interface Throttler {
  /** Sets the load (estimated bytes of all unsafe blocks) and sends the limits. */
  load(bytes: number): void;
  use(controller: Controller): void;
  /** Sends the limits again, also to clients that rejected them. */
  reset(): void;
  readonly state: ThrottleState;
}

/** Milliseconds after which unchanged limits are sent again, for clients that restarted. */
const REPEAT_INTERVAL_MS = 5000;

/** Creates the throttler (op-batcher: `NewThrottleController`). */
export function throttler(
  policy: ThrottlePolicy,
  targets: readonly ThrottleTarget[],
  log: Logger,
  clock: Channel = standaloneChannel(),
): Throttler {
  let controller = policy.controller;
  let bytes = 0;
  const pushes = targets.map((target) => pusher(target, log, clock.activity()));

  const current = () => ({ ...policy, controller });
  const push = () => {
    const intensity = intensityOf(current(), bytes);
    for (const { to } of pushes) to(limitsAt(current(), intensity), intensity);
  };

  return {
    load(now) {
      bytes = now;
      push();
    },
    use(next) {
      controller = next;
      push();
    },
    reset() {
      for (const { forget } of pushes) forget();
      push();
    },
    get state() {
      const intensity = intensityOf(current(), bytes);
      const { maxTxSize, maxBlockSize } = limitsAt(current(), intensity);
      return {
        type: controller,
        threshold: policy.lowerThreshold,
        current_load: bytes,
        intensity,
        max_tx_size: maxTxSize,
        max_block_size: maxBlockSize,
      };
    },
  };
}

/** Sends limits to one client, one request at a time (op-batcher: `singleEndpointThrottler`). */
function pusher({ url, rpc }: ThrottleTarget, log: Logger, activity: Activity) {
  let sent: DaLimits | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;
  let isUnderWay = false;
  let isUnable = false;
  let isFailing = false;

  async function send(limits: DaLimits): Promise<void> {
    const { maxTxSize, maxBlockSize } = limits;
    try {
      await rpc.call('miner_setMaxDASize', [quantity(maxTxSize), quantity(maxBlockSize)]);
      if (sent !== undefined && !same(sent, limits)) log.info('Throttling changed', { url: redactUrl(url), ...limits });
      sent = limits;
      isFailing = false;
    } catch (error) {
      isUnable = error instanceof RpcError && error.code === RPC_CODE.methodNotFound;
      if (isUnable) return;
      if (!isFailing) log.warn('Cannot set the limits on blocks', { url: redactUrl(url), error });
      isFailing = true;
    }
  }

  let hasWarned = false;
  return {
    to(limits: DaLimits, intensity: number): void {
      if (isUnable && intensity > 0 && !hasWarned) {
        hasWarned = true;
        log.warn('Blocks outrun L1 and cannot be throttled: the execution client does not serve miner_setMaxDASize', {
          url: redactUrl(url),
        });
      }
      const now = performance.now();
      const isFresh = sent !== undefined && same(sent, limits) && now - sentAt < REPEAT_INTERVAL_MS;
      if (isUnable || isUnderWay || isFresh) return;
      isUnderWay = true;
      activity.busy();
      sentAt = now;
      void send(limits).finally(() => {
        isUnderWay = false;
        activity.idle();
      });
    },
    forget(): void {
      isUnable = false;
      hasWarned = false;
      sent = undefined;
    },
  };
}

function same(left: DaLimits, right: DaLimits): boolean {
  return left.maxTxSize === right.maxTxSize && left.maxBlockSize === right.maxBlockSize;
}
