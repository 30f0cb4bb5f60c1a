import type { HostNames } from '../plan/inputs.ts';
import { taskIds } from '../plan/lookup.ts';
import type { Spec } from '../spec/schema/types.ts';

/** Host name of L1: anvil, its beacon node and the gate share one unit. */
export const L1_UNIT = 'l1';

/** Most characters of a host name: a DNS label. Engines append an index to it. */
const MAX_LABEL = 58;

/**
 * Names the host of each task: the word by which an engine's DNS finds its unit.
 * The names follow from the spec alone, so that each unit computes those of all others.
 */
export function hostNamesOf({ chains }: Spec): HostNames {
  const labels = new Set([L1_UNIT]);
  const label = (task: string): string => {
    const words = task.replaceAll('/', '-');
    for (let count = 1; ; count++) {
      const suffix = count === 1 ? '' : `-${count}`;
      const name = `${words.slice(0, MAX_LABEL - suffix.length).replace(/-+$/, '')}${suffix}`;
      if (labels.has(name)) continue;
      labels.add(name);
      return name;
    }
  };
  const tasks = Object.entries(chains).flatMap(([chain, { nodes, batcher, proposer, signer, altDa, conductor }]) => [
    ...Object.keys(nodes).flatMap((node) => Object.values(taskIds(chain, node))),
    ...(batcher === null ? [] : [`${chain}/batcher`]),
    ...(proposer === null ? [] : [`${chain}/proposer`]),
    ...(proposer?.challenger == null ? [] : [`${chain}/challenger`]),
    ...(signer === null ? [] : [`${chain}/signer`]),
    ...(altDa === null ? [] : [`${chain}/da-server`]),
    ...(conductor === null ? [] : [`${chain}/conductor`]),
  ]);
  return {
    l1: L1_UNIT,
    'l1-beacon': L1_UNIT,
    ...Object.fromEntries(tasks.map((task) => [task, label(task)])),
  };
}
