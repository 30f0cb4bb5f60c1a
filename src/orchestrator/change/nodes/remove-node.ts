import { EXIT, Failure } from '../../../system/failure.ts';
import { type Devnet, withControl } from '../../devnet/select.ts';
import { edit, isList, type Json } from '../../spec/schema/json.ts';
import type { Io } from '../../terminal/io.ts';
import { planAgain } from '../plan-again.ts';
import { nodePlace } from './node-set.ts';

/** A node that was removed. */
export interface RemovedNode {
  readonly node: string;
  readonly tasks: readonly string[];
}

/** Time (ms) for the processes to end. */
const END_TIMEOUT_MS = 120_000;

/**
 * Ends a verifier's processes and removes it from the spec of the devnet, with its data, logs and ports. Other nodes
 * lose it from their lists of peers.
 * @throws Failure
 */
export async function removeNode(io: Io, devnet: Devnet, word: string, chainName?: string): Promise<RemovedNode> {
  const { chain, node } = nodePlace(devnet, word, chainName);
  const id = `${chain.name}/${node.name}`;
  if (node.role === 'sequencer')
    throw new Failure('usage', `node remove: ${id} is the sequencer: the chain would stand without it`, {
      exit: EXIT.usage,
      hint: `nothing was changed; \`devnet sequencer move NODE\` gives the role to another node first`,
    });
  const follower = chain.nodes.find(({ follows }) => follows === node.name);
  if (follower !== undefined)
    throw new Failure(
      'usage',
      `node remove: ${chain.name}/${follower.name} follows ${id}, and derives nothing itself`,
      {
        exit: EXIT.usage,
        hint: `nothing was changed; remove ${follower.name} first`,
      },
    );
  return withControl(devnet, async (control) => {
    const isOf = (task: { readonly chain?: string; readonly node?: string }) =>
      task.chain === chain.name && task.node === node.name;
    const { plan, next, ...again } = await planAgain(io, devnet, {
      edit: (spec) => withoutNode(spec, chain.name, node.name),
      stays: (task) => !isOf(task),
    });
    const ids = plan.tasks.filter(isOf).map((task) => task.id);
    const { ports, ...rest } = { ...next, notices: plan.notices, ports: plan.ports };
    const portsLeft = Object.entries(ports ?? {}).filter(([key]) => !ids.some((task) => key.startsWith(`${task}:`)));
    const change = { ...again, plan: ports === undefined ? rest : { ...rest, ports: Object.fromEntries(portsLeft) } };
    await control.ask({ method: 'nodes', change }, END_TIMEOUT_MS);
    return { node: id, tasks: ids };
  });
}

/** Removes a node from a devnet's own spec, and from the peers of the others. */
function withoutNode(spec: Json, chain: string, name: string): Json {
  const nodes = ['chains', chain, 'nodes'];
  const left = edit(spec, [...nodes, name], () => undefined);
  return edit(left, [...nodes, '*', 'peers'], (peers) =>
    isList(peers) ? peers.filter((peer) => peer !== name) : peers,
  );
}
