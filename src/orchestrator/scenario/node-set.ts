import * as z from 'zod/mini';
import { addNode } from '../change/nodes/add-node.ts';
import { removeNode } from '../change/nodes/remove-node.ts';
import { taskIds } from '../plan/lookup.ts';
import type { ChainView, NodeView, Plan, Task } from '../plan/plan.ts';
import { key, name, text, withDescription } from '../spec/schema/words.ts';
import { outputEvidence } from './evidence.ts';
import { type Facts, knowsChain, knowsNode } from './facts.ts';
import { chainNamed, nodesNamed } from './places.ts';
import type { Evidence, Run } from './step.ts';
import { chainName, nodeName } from './words.ts';

/** Keys of the step `node` that add or remove a node. */
export const nodeSetKeys = {
  add: key(name, 'a new verifier: it joins the running chain'),
  remove: z.exactOptional(nodeName),
  el: key(text, 'with add: its execution client'),
  cl: key(text, 'with add: its rollup node'),
  peers: key(z.array(text), 'with add: nodes that it keeps connected; []: none, it derives its chain from L1 alone'),
  follow: key(text, 'with add: the node whose safe and finalized heads it follows in place of deriving'),
  set: key(z.array(text), 'with add: keys of the node as `--set` writes them'),
  chain: key(withDescription(chainName, 'a chain of the devnet'), 'with add: its chain; absent: the first one'),
};

interface NodeSetValue {
  readonly add?: string;
  readonly remove?: string;
  readonly el?: string;
  readonly cl?: string;
  readonly peers?: readonly string[];
  readonly follow?: string;
  readonly set?: readonly string[];
  readonly chain?: string;
}

const ADD_KEYS = ['el', 'cl', 'peers', 'follow', 'set', 'chain'] as const;

/** Checks what a step adds or removes. Later steps know the nodes that are there then. */
export function checkNodeSet(value: NodeSetValue, facts: Facts): void {
  const { add, remove } = value;
  for (const each of ADD_KEYS)
    if (value[each] !== undefined && add === undefined)
      facts.report([each], `"${each}" changes nothing without add`, { allowed: 'with add' });
  if (add !== undefined) checkAdd(add, value, facts);
  if (remove !== undefined) checkRemove(remove, facts);
}

function checkAdd(added: string, { chain: word, peers = [] }: NodeSetValue, facts: Facts): void {
  if (!knowsChain(facts, ['chain'], word)) return;
  const chain = chainNamed(facts.plan, word);
  if (chain === undefined) return;
  if (chain.nodes.some((node) => node.name === added))
    facts.report(['add'], `the chain "${chain.name}" has a node "${added}" already`);
  else {
    for (const [index, peer] of peers.entries()) knowsNode(facts, ['peers', index], `${chain.name}/${peer}`);
    facts.become(withNode(facts.plan, chain, added));
  }
}

function checkRemove(removed: string, facts: Facts): void {
  if (!knowsNode(facts, ['remove'], removed)) return;
  const [place] = nodesNamed(facts.plan, removed);
  if (place?.node.role === 'sequencer')
    facts.report(['remove'], `"${removed}" is the sequencer`, { allowed: 'a verifier' });
  else if (place !== undefined) facts.become(withoutNode(facts.plan, place.chain, place.node));
}

/** Adds a node that is like another one, as far as later checks read it. What devnet adds, it starts. */
function withNode(plan: Plan, chain: ChainView, added: string): Plan {
  const model = chain.nodes.find(({ role }) => role === 'verifier') ?? chain.nodes[0];
  if (model === undefined) return plan;
  const ids = taskIds(chain.name, added);
  const node: NodeView = {
    ...{ ...model, name: added, role: 'verifier', overrides: {} },
    el: { ...model.el, task: ids.el },
    cl: { ...model.cl, task: ids.cl },
  };
  const tasks = plan.tasks
    .filter(({ id }) => id === model.el.task || id === model.cl.task)
    .map((task): Task => ({ ...task, id: task.kind === 'el' ? ids.el : ids.cl, node: added, launch: 'spawn' }));
  return { ...withNodes(plan, chain, [...chain.nodes, node]), tasks: [...plan.tasks, ...tasks] };
}

function withoutNode(plan: Plan, chain: ChainView, { name: removed, el, cl }: NodeView): Plan {
  const nodes = chain.nodes.filter((node) => node.name !== removed);
  const tasks = plan.tasks.filter(({ id }) => id !== el.task && id !== cl.task);
  return { ...withNodes(plan, chain, nodes), tasks };
}

/** Gives the sequencer's role to a node of the chain, as far as checks of later steps read it. */
export function withSequencer(plan: Plan, chain: ChainView, { name: next }: NodeView): Plan {
  const nodes = chain.nodes.map((node) => {
    const role = node.name === next ? ('sequencer' as const) : ('verifier' as const);
    return { ...node, role };
  });
  return withNodes(plan, chain, nodes);
}

function withNodes(plan: Plan, { name: of }: ChainView, nodes: readonly NodeView[]): Plan {
  const chains = plan.network.chains.map((chain) => (chain.name === of ? { ...chain, nodes } : chain));
  return { ...plan, network: { ...plan.network, chains } };
}

/** Adds or removes the node of a step. The evidence of an added one has the block on which it agrees. */
export async function changeNodeSet(value: NodeSetValue, run: Run): Promise<Evidence> {
  const { add, remove, el, cl, peers, follow, set = [] } = value;
  let head: Evidence = {};
  const output = await outputEvidence(run, async (io) => {
    if (remove !== undefined) io.stderr(`${(await removeNode(io, run.devnet(), remove)).node} removed\n`);
    if (add === undefined) return;
    const chain = chainNamed(run.plan(), value.chain)?.name;
    const added = await addNode(io, run.devnet(), { name: add, chain, el, cl, peers, follow, set });
    for (const notice of added.notices) io.stderr(`${notice}\n`);
    io.stderr(`${added.node} joined\n`);
    head = { block: added.head.number, hash: added.head.hash };
  });
  return { ...output, ...head };
}
