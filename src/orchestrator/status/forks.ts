import type { BundleOrigin, ChainView, NodeView } from '../plan/plan.ts';
import type { Heads } from './heads.ts';

/** A row of the activation table. */
export interface ForkRow {
  readonly chain: string;
  readonly fork: string;
  /** Unix seconds; null: never. */
  readonly time: number | null;
  /** The same as ISO 8601 in UTC. */
  readonly at: string | null;
  /** Seconds of the network's clock until activation; 0 when it is past. */
  readonly secondsToGo: number | null;
  /** The first block in which it is active. */
  readonly block: number | null;
  /** By node: `active`, `pending`, `never`, or `unknown` if the node does not answer. */
  readonly nodes: Readonly<Record<string, 'active' | 'pending' | 'never' | 'unknown'>>;
  /** Where the code of its upgrade transactions comes from; null: it brings none in mid-chain. */
  readonly bundle: BundleOrigin | null;
  /** By node, if the node has another time; null: never. */
  readonly overrides: Readonly<Record<string, number | null>>;
}

/** Time at which a table is made. */
interface Moment {
  /** Unix seconds. */
  readonly genesisTime: number;
  /** The network's clock, Unix seconds. */
  readonly now: number;
}

/**
 * Builds the activation table of a chain, sorted by time. A fork is active on a node whose head's time has reached
 * it.
 */
export function forkTable(chain: ChainView, moment: Moment, heads: ReadonlyMap<string, Heads>): ForkRow[] {
  const names = new Set([
    ...Object.keys(chain.forks),
    ...chain.nodes.flatMap(({ overrides }) => Object.keys(overrides)),
  ]);
  const counted = (time: number | null | undefined) => (time == null ? null : Math.max(time, moment.genesisTime));
  return [...names]
    .map((fork): ForkRow => {
      const time = counted(chain.forks[fork]);
      return {
        chain: chain.name,
        fork,
        time,
        at: time === null ? null : isoTime(time),
        secondsToGo: time === null ? null : secondsTo(time, moment.now),
        block: time === null ? null : blockAt(time, moment.genesisTime, chain.blockTime),
        nodes: Object.fromEntries(
          chain.nodes.map((node) => {
            const activation = activationOf(fork, chain, node);
            const head = heads.get(`${chain.name}/${node.name}`)?.unsafe;
            if (activation === null) return [node.name, 'never'];
            return [node.name, !head ? 'unknown' : head.time >= activation ? 'active' : 'pending'];
          }),
        ),
        bundle: chain.bundles?.[fork] ?? null,
        overrides: Object.fromEntries(
          chain.nodes.flatMap(({ name, overrides }) => {
            const time = overrides[fork];
            return time === undefined ? [] : [[name, time]];
          }),
        ),
      };
    })
    .sort((a, b) => (a.time ?? Number.MAX_SAFE_INTEGER) - (b.time ?? Number.MAX_SAFE_INTEGER));
}

/** Returns when a fork activates on a node, in Unix seconds; null: never. */
export function activationOf(fork: string, chain: ChainView, node: NodeView): number | null {
  const override = node.overrides[fork];
  return override === undefined ? (chain.forks[fork] ?? null) : override;
}

/** Returns the time (Unix seconds) of a row's fork on a node; null: never. */
export function timeOn({ time, overrides }: Pick<ForkRow, 'time' | 'overrides'>, node: string): number | null {
  const override = overrides[node];
  return override === undefined ? time : override;
}

/** Returns the first block whose time is at or after `time`. */
export function blockAt(time: number, genesisTime: number, blockTime: number): number {
  return Math.max(0, Math.ceil((time - genesisTime) / blockTime));
}

/** Formats Unix seconds as ISO 8601 in UTC, without fractions. */
export function isoTime(time: number): string {
  return new Date(time * 1000).toISOString().replace('.000Z', 'Z');
}

/** Returns whole seconds until a time; 0 when it is past. */
export function secondsTo(time: number, now: number): number {
  return Math.max(0, Math.ceil(time - now));
}
