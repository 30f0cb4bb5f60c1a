import type { Logger } from '../../../system/program/log.ts';
import { pause } from '../../../system/time/pause.ts';
import type { Discovered, Discovery } from './discovery.ts';

/** Settings of the dialer, and the parts that it works with. */
export interface DialerOptions {
  /** Number of peers below which found nodes are dialled. */
  readonly low: number;
  readonly connected: () => readonly string[];
  /** Addresses of peers of earlier runs, by peer id. */
  readonly addressBook: () => ReadonlyMap<string, readonly string[]>;
  readonly allows: (id: string, ip: string | undefined) => boolean;
  /** Called with each node of the rollup that discovery found. */
  readonly onFound: (node: Discovered) => void;
  readonly dial: (address: string) => Promise<unknown>;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Milliseconds between rounds: at first, below the low watermark, and above it.
 * Counterpart in op-node: `discoverIntervalFast`, `discoverIntervalSlow`.
 */
const DIAL_PAUSE_MS = { first: 250, fast: 5_000, slow: 20_000 };
/** Rounds at the first interval, so that nodes that start together find each other at once. */
const FIRST_ROUNDS = 20;
/** Concurrent dials (op-node: `connectionWorkerCount`). */
const DIALS_AT_ONCE = 4;

/**
 * Looks nodes up until aborted (op-node: `DiscoveryProcess`).
 * Dials found and known ones while the number of peers is below the low watermark.
 */
export async function dialDiscovered(discovery: Discovery, options: DialerOptions): Promise<void> {
  const { low, signal, log } = options;
  for (let round = 0; !signal.aborted; round++) {
    const nodes = (await discovery.search()).filter(({ id, ip }) => options.allows(id, ip));
    for (const node of nodes) options.onFound(node);
    const missing = low - options.connected().length;
    if (missing > 0) await dialSome(candidates(nodes, options).slice(0, missing), options);
    const isFirst = round < FIRST_ROUNDS && options.connected().length < low;
    log.debug('discovery round done', { found: nodes.length, connected: options.connected().length });
    await pause(isFirst ? DIAL_PAUSE_MS.first : missing > 0 ? DIAL_PAUSE_MS.fast : DIAL_PAUSE_MS.slow, signal);
  }
}

/**
 * Returns the addresses of unconnected peers in random order (op-node: `shufflePeers`).
 * Hostile records cannot decide which peers are dialled first.
 */
function candidates(nodes: readonly Discovered[], { connected, addressBook, allows }: DialerOptions): string[] {
  const addresses = new Map(
    [...addressBook()].flatMap(([id, [address]]) =>
      address === undefined || !allows(id, undefined) ? [] : [[id, address]],
    ),
  );
  for (const { id, address } of nodes) addresses.set(id, address);
  for (const id of connected()) addresses.delete(id);
  return [...addresses.values()]
    .map((address) => ({ address, order: Math.random() }))
    .sort((left, right) => left.order - right.order)
    .map(({ address }) => address);
}

async function dialSome(addresses: readonly string[], { dial, log }: DialerOptions): Promise<void> {
  const waiting = [...addresses];
  const work = async () => {
    for (let address = waiting.pop(); address !== undefined; address = waiting.pop())
      await dial(address).catch((error: unknown) => log.debug('a found peer does not answer', { address, error }));
  };
  await Promise.all(Array.from({ length: DIALS_AT_ONCE }, work));
}
