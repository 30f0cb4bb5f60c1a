import { readPlan } from '../../orchestrator/folder/devnet-folder.ts';
import type { Plan } from '../../orchestrator/plan/plan.ts';
import type { Paths } from '../../orchestrator/state/paths.ts';
import { DevnetError } from './errors.ts';

/**
 * Checks that a devnet is the one of its handle. Stopped and started again it is, under a changed plan too. One that
 * was taken down is gone, which is not an error here.
 * @throws DevnetError `another` if another devnet has its name now
 */
export function mustBeSame(paths: Paths, first: Plan): void {
  const now = readPlan(paths);
  if (now === undefined || factsOf(now, first) === factsOf(first, now)) return;
  throw new DevnetError('another', `${paths.name} is another devnet now: that of this handle was taken down`, {
    hint: `connect({ name: ${JSON.stringify(paths.name)} }) returns a handle of the new one`,
  });
}

/** Identity of a devnet that no change of it replaces. Nodes that only one of the plans has may have come or gone. */
function factsOf({ genesisTime, network, tasks }: Plan, other: Plan): string {
  const common = tasks.filter(({ id }) => other.tasks.some((task) => task.id === id));
  const ports = common.map(({ id, ports }) => [id, ports.map(({ port }) => port)]).sort();
  const hashes = network.chains.map(({ genesisHash }) => genesisHash);
  return JSON.stringify([genesisTime, network.l1.genesisHash, hashes, ports]);
}
