import { EXIT, Failure } from '../../system/failure.ts';
import { spanText } from '../../system/numbers/human.ts';
import { parseDuration } from '../../system/program/options.ts';
import { onInterrupt } from '../../system/program/terminal.ts';
import { pause } from '../../system/time/pause.ts';
import type { ClockReading } from '../clock/reading.ts';
import type { WarpResult } from '../clock/warp.ts';
import { type Devnet, viewOf, withControlOf } from '../devnet/select.ts';
import type { ChainView, Plan } from '../plan/plan.ts';
import { wallClockNotice } from '../plan/wall-clock.ts';
import type { Event } from '../state/events.ts';
import { activationOf, blockAt, isoTime } from '../status/forks.ts';

/** Longest warp that a command waits for, ms of the wall clock. */
const WARP_TIMEOUT_MS = 24 * 3600 * 1000;

export interface WarpOptions {
  /** Called with the progress, while the warp is under way. */
  readonly onProgress?: (progress: Extract<Event, { event: 'warp' }>) => void;
  /** Ends the warp at its slot's end. */
  readonly signal?: AbortSignal;
}

/** Time that has passed, Unix ms: from where, and to where. */
type PassedTime = Pick<WarpResult, 'from' | 'at' | 'to'>;

/** Reads a network's clock. @throws Failure */
export function readClock(devnet: Devnet): Promise<ClockReading> {
  return withControlOf('warp', devnet, (control) => control.ask<ClockReading>({ method: 'clock', action: 'read' }));
}

/** Stops or starts a network's clock. @throws Failure */
export function setClock(devnet: Devnet, action: 'pause' | 'resume'): Promise<ClockReading> {
  mustBeMovable(viewOf(devnet).plan);
  return withControlOf('warp', devnet, (control) => control.ask<ClockReading>({ method: 'clock', action }));
}

/** Ends the warp under way at its slot's end, whichever program began it. @throws Failure */
export function endWarp(devnet: Devnet): Promise<ClockReading> {
  return withControlOf('warp', devnet, (control) => control.ask<ClockReading>({ method: 'clock', action: 'end' }));
}

/** Moves a network's clock to the next time at which a block of L1 or L2 is due. @throws Failure */
export function advanceSlot(devnet: Devnet): Promise<WarpResult> {
  mustBeMovable(viewOf(devnet).plan);
  return withControlOf('warp', devnet, (control) => control.ask<WarpResult>({ method: 'clock', action: 'step' }));
}

/** Waits until all processes of a network are done with the present time of its clock. @throws Failure */
export function settle(devnet: Devnet): Promise<ClockReading> {
  return withControlOf('warp', devnet, (control) => control.ask<ClockReading>({ method: 'clock', action: 'settle' }));
}

/**
 * Moves a network's clock slot by slot. Resolves when it is there, or when it was ended before.
 * @throws Failure if the clock cannot be moved there, or if a process is not done with a slot in time
 */
export function warp(
  devnet: Devnet,
  request: WarpRequest,
  { onProgress, signal }: WarpOptions = {},
): Promise<WarpResult> {
  const { plan } = viewOf(devnet);
  mustBeMovable(plan);
  return withControlOf('warp', devnet, async (control) => {
    const { at } = await control.ask<ClockReading>({ method: 'clock', action: 'read' });
    const to = warpTarget(request, plan, at);
    if (onProgress !== undefined) void control.events((event) => event.event === 'warp' && onProgress(event));
    const end = () => void control.ask({ method: 'clock', action: 'end' }).catch(() => undefined);
    if (signal?.aborted) return { from: at, at, to, complete: false, ms: 0, blocks: {} };
    signal?.addEventListener('abort', end, { once: true });
    try {
      return await control.ask<WarpResult>({ method: 'warp', to }, WARP_TIMEOUT_MS);
    } finally {
      signal?.removeEventListener('abort', end);
    }
  });
}

/**
 * Waits until a network whose clock is the machine's has come to where a warp would move it.
 * @throws Failure if the target has no meaning on this network, or lies behind
 */
export async function waitThrough(devnet: Devnet, request: WarpRequest, signal: AbortSignal): Promise<PassedTime> {
  const { at } = await readClock(devnet);
  const to = warpTarget(request, viewOf(devnet).plan, at);
  await pause(to - at, signal);
  signal.throwIfAborted();
  return { from: at, at: to, to };
}

/** Runs work that SIGINT, SIGTERM and SIGHUP end in order. */
export async function interruptibly<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const unfollow = onInterrupt(() => stopping.abort());
  try {
    return await work(stopping.signal);
  } finally {
    unfollow();
  }
}

/** @throws Failure if a process reads the machine's clock */
function mustBeMovable(plan: Plan): void {
  const notice = wallClockNotice(plan.tasks);
  if (notice !== undefined) throw new Failure('warp', notice);
}

/** Targets of a warp as a user writes them. */
export const WARP_TARGETS = '+1h, fork:NAME, block:N or time:T (Unix seconds)';

/** A target as the command line gives it. */
export interface WarpRequest {
  /** `+1h`, `fork:NAME`, `block:N` or `time:T`. */
  readonly to: string;
  /** With a fork: into its first block, not to the last one before it. */
  readonly past: boolean;
  /** The chain of a fork or block; undefined: the only one. */
  readonly chain: string | undefined;
}

/**
 * Returns the time (Unix ms) to which a request moves a clock that is at `now`.
 * @throws Failure `warp` (exit 2) if the target has no meaning on this network, or lies behind
 */
export function warpTarget(request: WarpRequest, plan: Plan, now: number): number {
  const to = timeOf(request, plan, now);
  if (to > now) return to;
  const seconds = Math.ceil((now - to) / 1000);
  throw refusal(
    `${request.to} lies behind: it is at ${isoTime(Math.floor(to / 1000))}, ` +
      `and the network's clock is ${spanText(seconds)} past it`,
    'a warp goes forward only; `devnet forks` and `devnet status` print where the network is',
  );
}

function timeOf({ to, past, chain: name }: WarpRequest, plan: Plan, now: number): number {
  if (past && !to.startsWith('fork:')) throw refusal('--past goes with --to fork:NAME', undefined);
  if (to.startsWith('+')) {
    const ms = parseDuration(to.slice(1));
    if (ms === undefined || ms <= 0) throw unknownTarget(to);
    return now + ms;
  }
  const [, kind, value = ''] = /^(fork|block|time):(\S+)$/.exec(to) ?? [];
  if (kind === 'time' && /^\d{1,11}$/.test(value)) return Number(value) * 1000;
  if (kind === 'block' && /^\d{1,9}$/.test(value)) {
    const { blockTime } = chainOf(plan, name);
    return (plan.genesisTime + Number(value) * blockTime) * 1000;
  }
  if (kind === 'fork') return forkTarget(chainOf(plan, name), value, past, plan.genesisTime, now);
  throw unknownTarget(to);
}

/**
 * Returns the time (Unix ms) of a fork's first block, or of the last block before it. If nodes have times of their
 * own, it is the next activation on any node.
 */
function forkTarget(chain: ChainView, fork: string, past: boolean, genesisTime: number, now: number): number {
  const { name, forks, blockTime } = chain;
  const times = activationsOf(fork, chain);
  const later = times.filter((time) => time > genesisTime);
  if (times.length === 0) {
    const comingForks = Object.entries(forks).flatMap(([each, at]) => (at === null || at <= genesisTime ? [] : [each]));
    throw refusal(
      `fork ${fork} is not scheduled on chain ${name}`,
      comingForks.length === 0 ? 'no fork activates after its genesis' : `forks to come: ${comingForks.join(', ')}`,
    );
  }
  if (later.length === 0) throw refusal(`fork ${fork} is active on chain ${name} from genesis on`, undefined);
  const targets = later.map((time) => {
    const first = blockAt(time, genesisTime, blockTime);
    return (genesisTime + (past ? first : first - 1) * blockTime) * 1000;
  });
  return targets.find((to) => to > now) ?? Math.max(...targets);
}

/** Returns the times (Unix seconds) at which a fork activates on a chain's nodes, sorted, without `never`. */
export function activationsOf(fork: string, chain: ChainView): readonly number[] {
  return chain.nodes.flatMap((node) => activationOf(fork, chain, node) ?? []).sort((a, b) => a - b);
}

function chainOf({ network: { chains } }: Plan, name: string | undefined): ChainView {
  const [first, ...others] = name === undefined ? chains : chains.filter((chain) => chain.name === name);
  if (first !== undefined && others.length === 0) return first;
  const names = chains.map((chain) => chain.name).join(', ');
  throw refusal(
    name === undefined ? `several chains exist: ${names}` : `there is no chain ${name}: expected one of ${names}`,
    name === undefined ? 'select one with --chain NAME' : undefined,
  );
}

function unknownTarget(text: string): Failure {
  const guess = /^\d+$/.test(text) ? `block:${text}` : (parseDuration(text) ?? 0) > 0 ? `+${text}` : undefined;
  return refusal(
    `cannot warp to ${JSON.stringify(text)}: expected ${WARP_TARGETS}`,
    guess === undefined ? undefined : `did you mean ${guess}?`,
  );
}

function refusal(message: string, hint: string | undefined): Failure {
  return new Failure('warp', message, { exit: EXIT.usage, ...(hint === undefined ? {} : { hint }) });
}
