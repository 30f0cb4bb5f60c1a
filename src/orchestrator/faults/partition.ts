import { ANY } from '../plan/links.ts';
import type { Link, Plan } from '../plan/plan.ts';
import { type Place, placeNamed, placeNow, placesOf, refusal } from './places.ts';

type Network = Pick<Plan, 'network' | 'links'>;

/** @throws Failure `fault` (exit 2) if a node is in two groups, or in none while its chain is divided */
export function mustDivide(plan: Network, groups: readonly (readonly string[])[]): void {
  mustNameEachOnce(
    plan,
    groups.map((group) => group.map((word) => placeNamed(plan, word))),
  );
  if (linksBetween(plan, groups).length === 0)
    throw refusal('no link is between these groups', { groups }, 'run `devnet plan` to see the links');
}

/**
 * Returns the links between the groups of a partition. A place that no group names is connected with all, as a node
 * that joined after the partition. A name that the network has no more is passed over.
 */
export function linksBetween(plan: Network, groups: readonly (readonly string[])[]): readonly Link[] {
  const places = groups.map((group) => group.flatMap((word) => placeNow(plan, word) ?? []));
  const groupOf = new Map<string, number>();
  // The beacon node of L1 may be in another group than L1.
  const inOrder = places.flatMap((group, index) => group.map((place) => ({ place, index })));
  for (const { place, index } of inOrder.toSorted((a, b) => b.place.tasks.length - a.place.tasks.length))
    for (const task of place.tasks) groupOf.set(task, index);
  const peers = placesOf(plan).filter(({ isNode }) => isNode);
  const isBetween = ({ from, to }: Link) => {
    const target = groupOf.get(to);
    if (target === undefined) return false;
    if (from !== ANY) return (groupOf.get(from) ?? target) !== target;
    const { chain } = peers.find(({ tasks }) => tasks.includes(to)) ?? {};
    return peers.some(
      (peer) => peer.chain === chain && peer.tasks.some((task) => (groupOf.get(task) ?? target) !== target),
    );
  };
  return (plan.links ?? []).filter(isBetween);
}

function mustNameEachOnce(plan: Network, groups: readonly (readonly Place[])[]): void {
  if (groups.length < 2)
    throw refusal('a partition needs at least two groups', {}, 'for example `devnet fault partition a,b c`');
  const all = groups.flat().map(({ name }) => name);
  const twice = all.find((name, index) => all.indexOf(name) !== index);
  if (twice !== undefined) throw refusal(`${twice} is named twice: expected each node in one group`, { node: twice });
  const chains = new Set(groups.flat().flatMap(({ isNode, chain }) => (isNode ? [chain] : [])));
  const missing = placesOf(plan).filter(
    ({ isNode, chain, name }) => isNode && chains.has(chain) && !all.includes(name),
  );
  const [first] = missing;
  if (first === undefined) return;
  const names = missing.map(({ name }) => name);
  const are = names.length === 1 ? 'is' : 'are';
  throw refusal(`${names.join(', ')} ${are} in no group: expected each node of chain ${first.chain} in one group`, {
    nodes: names,
  });
}
