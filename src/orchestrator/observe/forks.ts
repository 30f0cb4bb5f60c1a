import type { ChainView } from '../plan/plan.ts';
import type { Heads } from './heads.ts';

/** A row of the activation table. */
export interface ForkRow {
  readonly chain: string;
  readonly fork: string;
  /** Unix seconds. */
  readonly time: number;
  /** The first block in which it is active. */
  readonly block: number;
  /** By node: `active`, `pending`, or `unknown` where the node does not answer. */
  readonly nodes: Readonly<Record<string, 'active' | 'pending' | 'unknown'>>;
  /** By node, where the node's time is another one. */
  readonly overrides: Readonly<Record<string, number>>;
}

/** The activation table of a chain in the order of time: a fork is active on a node when its head's time has reached it. */
export function forkTable(chain: ChainView, genesisTime: number, heads: ReadonlyMap<string, Heads>): ForkRow[] {
  const names = new Set([
    ...Object.keys(chain.forks),
    ...chain.nodes.flatMap(({ overrides }) => Object.keys(overrides)),
  ]);
  return [...names]
    .map((fork): ForkRow => {
      const time = Math.max(chain.forks[fork] ?? Number.MAX_SAFE_INTEGER, genesisTime);
      return {
        chain: chain.name,
        fork,
        time,
        block: blockAt(time, genesisTime, chain.blockTime),
        nodes: Object.fromEntries(
          chain.nodes.map((node) => {
            const head = heads.get(`${chain.name}/${node.name}`)?.unsafe;
            return [node.name, !head ? 'unknown' : head.time >= (node.overrides[fork] ?? time) ? 'active' : 'pending'];
          }),
        ),
        overrides: Object.fromEntries(
          chain.nodes.flatMap((node) => {
            const own = node.overrides[fork];
            return own === undefined ? [] : [[node.name, own]];
          }),
        ),
      };
    })
    .sort((a, b) => a.time - b.time);
}

/** The first block whose time is at or after `time`. */
export function blockAt(time: number, genesisTime: number, blockTime: number): number {
  return Math.max(0, Math.ceil((time - genesisTime) / blockTime));
}
