import { freshState } from '../../devnet/fresh-state.ts';
import { type Devnet, viewOf, withControl } from '../../devnet/select.ts';
import { causeText } from '../../faults/describe.ts';
import { faultBetween } from '../../faults/severance.ts';
import type { ChainView, NodeView, Plan } from '../../plan/plan.ts';
import { edit, type Json } from '../../spec/schema/json.ts';
import { NO_FAULTS } from '../../state/faults.ts';
import type { State } from '../../state/state.ts';
import type { Io } from '../../terminal/io.ts';
import { planAgain } from '../plan-again.ts';
import { portsOfNew } from './new-ports.ts';
import { mustFollow, refusedMove } from './next-sequencer.ts';
import { nodePlace } from './node-set.ts';

/** A role that has moved. */
export interface MovedSequencer {
  readonly chain: string;
  readonly from: string;
  readonly to: string;
  /** The last block of the former sequencer. The next one is the new sequencer's. */
  readonly block: number;
  readonly hash: string;
  /** Pending transactions that the new sequencer got from the former one. */
  readonly forwarded: number;
  /** Tasks that restarted. */
  readonly restarted: readonly string[];
}

/** Timeout (ms) of the whole move: two restarts of up to a minute, and the waits for heads. */
const MOVE_TIMEOUT_MS = 600_000;

/**
 * Gives the role of a chain's sequencer to another of its nodes. No block forks off, and each transaction that was
 * accepted goes into a block.
 * @throws Failure `sequencer`, `target`, `spec`
 */
export async function moveSequencer(io: Io, devnet: Devnet, word: string, chainName?: string): Promise<MovedSequencer> {
  const { chain, node: to } = nodePlace(devnet, word, chainName);
  const from = chain.nodes.find(({ role }) => role === 'sequencer');
  if (from === undefined) throw refusedMove(`${chain.name} has no sequencer`);
  if (chain.conductor !== undefined)
    throw refusedMove(`a conductor leads ${chain.name}`, `run \`devnet conductor transfer ${to.name}\``);
  const state = await freshState(devnet);
  mustSuit(chain, to, state);
  mustBeConnected(viewOf(devnet).plan, [from, to], state);
  await mustFollow(chain.name, from, to);
  return withControl(devnet, async (control) => {
    const {
      plan: _,
      next,
      ...again
    } = await planAgain(io, devnet, {
      edit: (spec) => withRoles(spec, chain.name, { from: from.name, to: to.name }),
      // With `faults: true` the batcher and the proposer call the new sequencer by links of their own.
      newPorts: async (before, loaded, hiddenHost) =>
        (await portsOfNew(before, loaded, devnet.paths, hiddenHost)).ports,
    });
    const { plan } = viewOf(devnet);
    const change = { ...again, plan: { ...next, notices: plan.notices, ...(plan.ports && { ports: plan.ports }) } };
    const { head, forwarded, tasks } = await control.ask<{
      readonly head: { readonly number: number; readonly hash: string };
      readonly forwarded: number;
      readonly tasks: readonly string[];
    }>({ method: 'sequencer', chain: chain.name, change }, MOVE_TIMEOUT_MS);
    return {
      ...{ chain: chain.name, from: from.name, to: to.name, block: head.number, hash: head.hash },
      ...{ forwarded, restarted: tasks },
    };
  });
}

/** @throws Failure `sequencer` if the node cannot have the role */
function mustSuit(chain: ChainView, node: NodeView, { tasks }: State): void {
  const id = `${chain.name}/${node.name}`;
  if (node.role === 'sequencer') throw refusedMove(`${id} is the sequencer already`);
  for (const { task } of [node.el, node.cl]) {
    const { phase } = tasks[task] ?? {};
    if (phase !== 'ready' && phase !== 'unhealthy')
      throw refusedMove(`${task} is ${phase ?? 'absent'}`, `start it first: \`devnet node start ${node.name}\``);
  }
  if (node.follows !== undefined)
    throw refusedMove(`${id} follows ${node.follows} and derives nothing itself: a sequencer has to`);
  const forks = Object.keys(node.overrides);
  if (forks.length > 0)
    throw refusedMove(
      `${id} has fork times of its own (${forks.join(', ')}): its blocks would be none of this chain`,
      `give it those of the chain first: \`devnet node restart ${node.name} --override ${forks[0]}=chain\``,
    );
}

/** @throws Failure `sequencer` if a fault keeps the nodes apart: the last block of the one would not reach the other */
function mustBeConnected(plan: Plan, [from, to]: readonly [NodeView, NodeView], { faults = NO_FAULTS }: State): void {
  const fault = faultBetween(plan, faults, from.cl.task, to.cl.task);
  if (fault === undefined) return;
  throw refusedMove(
    `${to.cl.task} is not connected with ${from.cl.task}: ${causeText(fault)}`,
    `heal it first: \`devnet fault heal ${fault.id}\``,
  );
}

/** Swaps the roles of two nodes in a devnet's own spec. */
function withRoles(spec: Json, chain: string, { from, to }: { readonly from: string; readonly to: string }): Json {
  const role = (node: string) => ['chains', chain, 'nodes', node, 'role'];
  return edit(
    edit(spec, role(from), () => 'verifier'),
    role(to),
    () => 'sequencer',
  );
}
