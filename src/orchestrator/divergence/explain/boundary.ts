import type { ChainView, NodeView } from '../../plan/plan.ts';
import { activationOf, blockAt, isoTime } from '../../status/forks.ts';

/** The activation that is nearest to a block, over the network's schedule and the overrides of both sides. */
export interface Boundary {
  readonly fork: string;
  /** Unix seconds by the network's schedule; null: never. */
  readonly network: number | null;
  /** Its first block by the network's schedule. */
  readonly block: number | null;
  /** Unix seconds by node, if the node has another time. */
  readonly nodes: Readonly<Record<string, number | null>>;
  /** Blocks from that activation to the block; negative if the block is earlier. */
  readonly distance: number;
}

/** Finds the nearest fork boundary of a block; undefined if all forks are active from genesis, or never. */
export function nearestBoundary(
  chain: ChainView,
  sides: readonly NodeView[],
  genesisTime: number,
  block: number,
): Boundary | undefined {
  const names = new Set(
    [chain.forks, ...sides.map(({ overrides }) => overrides)].flatMap((times) => Object.keys(times)),
  );
  const boundaries = [...names].flatMap((fork): Boundary[] => {
    const network = chain.forks[fork] ?? null;
    const times = [network, ...sides.map((node) => activationOf(fork, chain, node))];
    const blocks = times.flatMap((time) => (time === null ? [] : [blockAt(time, genesisTime, chain.blockTime)]));
    const [nearest] = blocks.filter((each) => each > 0).sort((a, b) => Math.abs(block - a) - Math.abs(block - b));
    if (nearest === undefined) return [];
    const nodes = sides.flatMap((node): [string, number | null][] => {
      const activation = activationOf(fork, chain, node);
      return activation === network ? [] : [[node.name, activation]];
    });
    const at = network === null ? null : blockAt(network, genesisTime, chain.blockTime);
    return [{ fork, network, block: at, nodes: Object.fromEntries(nodes), distance: block - nearest }];
  });
  // Of several at one distance, the one on which the sides differ says more.
  return boundaries.toSorted(
    (a, b) => Math.abs(a.distance) - Math.abs(b.distance) || Object.keys(b.nodes).length - Object.keys(a.nodes).length,
  )[0];
}

/** Describes a boundary in one sentence. */
export function describeBoundary({ fork, network, block, nodes, distance }: Boundary, chain: string): string {
  const place = distance === 0 ? 'at this block' : `${Math.abs(distance)} blocks ${distance > 0 ? 'before' : 'after'}`;
  const exceptions = Object.entries(nodes).map(
    ([node, time]) => `${time === null ? 'never' : isoTime(time)} on ${chain}/${node}`,
  );
  const schedule = network === null ? 'never' : `${isoTime(network)}, block ${block}`;
  return [`${fork}, ${place}: ${schedule} by the network's schedule`, ...exceptions].join('; ');
}
