import type { ForkName, ForkSchedule } from '../../../protocol/forks/index.ts';
import { scheduleOfNode } from '../../spec/schema/forks.ts';
import { isPortOpen } from '../given.ts';
import { entryOf } from '../lookup.ts';
import type { NodeView, PlannedFile, Task } from '../plan.ts';
import { OUTSIDE, SUPERVISOR, urlOf } from '../reach.ts';
import type { ChainContext } from './context.ts';
import { externalTask } from './external.ts';
import { needsOf } from './needs.ts';
import { type NodeIdentity, peersOf } from './node-identity.ts';
import { chainFile, overridesFor } from './node-overrides.ts';
import { type NodeShare, nodeShare } from './node-values.ts';
import { type PlannedTask, planTask } from './task.ts';

/** Tasks, files, view and notices of a planned node. */
export interface PlannedNode {
  readonly tasks: readonly Task[];
  readonly files: readonly PlannedFile[];
  readonly view: NodeView;
  readonly notices: readonly string[];
}

/** Plans the files, tasks and view of a node. */
export function planNode(context: ChainContext, identity: NodeIdentity): PlannedNode {
  const { chain } = context;
  const schedule = scheduleOfNode(chain.schedule, identity.spec.override, chain.clock);
  const share = nodeShare(context, identity);
  const parts = (['el', 'cl'] as const).map((part) => planPart(part, { context, identity, schedule, share }));
  return {
    tasks: parts.map(({ task }) => task),
    files: [...share.files, ...parts.flatMap(({ files }) => files)],
    notices: parts.flatMap(({ notices }) => notices),
    view: viewOf({ context, identity, schedule, share }),
  };
}

interface NodeParts {
  readonly context: ChainContext;
  readonly identity: NodeIdentity;
  /** Fork times of the node. */
  readonly schedule: ForkSchedule;
  readonly share: NodeShare;
}

/** Plans the execution client or the rollup node of a node. */
function planPart(part: 'el' | 'cl', { context, identity, schedule, share }: NodeParts): PlannedTask {
  const { spec, chain, clients, inputs, addresses, nodes, files } = context;
  const { name, spec: node } = identity;
  const { [part]: id } = share.ids;
  const { [part]: template } = share;
  if (template === undefined) {
    const url = urlOf(addresses, 'http', SUPERVISOR, id, part === 'el' ? 'http' : 'rpc');
    return { task: externalTask({ id, kind: part, node: name, url }, chain, inputs), files: [], notices: [] };
  }
  const { flags, inFile } = overridesFor(template, node, chain, schedule);
  const copy = inFile ? chainFile(part, { id, client: template.name, schedule }, chain, inputs) : undefined;
  const ownFiles = copy === undefined ? [] : [copy.file];
  const peers = peersOf(identity, nodes);
  const planned = planTask(
    {
      id,
      chain: chain.name,
      node: name,
      process: node[part],
      template,
      role: template[node.role],
      isAlone: node.role === 'verifier' && peers.length === 0,
      values: (from) => ({ ...share.values(from), ...copy?.values }),
      overrides: flags,
      secrets: share.secrets,
      needs: [
        ...needsOf(template, share.ids, entryOf(clients, spec.l1.beacon.client)),
        ...(part === 'cl' && node.role === 'sequencer' && chain.spec.signer !== null
          ? [{ task: `${chain.name}/signer`, until: 'ready' as const }]
          : []),
      ],
      files: [...files, ...share.files, ...ownFiles],
      onExit: chain.spec.onExit,
      peers: peers.filter(({ spawned }) => spawned).length,
    },
    context,
  );
  // A copy without keys replaces its source file.
  const sources = ownFiles.filter(({ path }) => !planned.files.some((copy) => copy.path === path));
  return { ...planned, files: [...sources, ...planned.files] };
}

function viewOf({ context: { chain, addresses, nodes }, identity, schedule, share }: NodeParts): NodeView {
  const { spec: node } = identity;
  const { ids, el, cl } = share;
  const url = (protocol: 'http' | 'ws', task: string, port: string) => urlOf(addresses, protocol, OUTSIDE, task, port);
  const hasWs =
    el === undefined
      ? node.el.external?.ws !== undefined
      : isPortOpen({ template: el, process: node.el, role: el[node.role] }, 'ws');
  return {
    name: identity.name,
    role: node.role,
    el: {
      task: ids.el,
      client: el === undefined ? 'external' : node.el.client,
      implementation: el?.implementation ?? 'external',
      http: url('http', ids.el, 'http'),
      ws: hasWs ? url('ws', ids.el, 'ws') : '',
      engine: url('http', ids.el, 'engine'),
      jwt: share.jwt,
    },
    cl: {
      task: ids.cl,
      client: cl === undefined ? 'external' : node.cl.client,
      implementation: cl?.implementation ?? 'external',
      rpc: url('http', ids.cl, 'rpc'),
      p2p: identity.multiaddr ?? '',
      peerId: identity.peerId,
    },
    ...(node.cl.follow === undefined ? {} : { follows: node.cl.follow }),
    gossip: peersOf(identity, nodes).length > 0,
    overrides: Object.fromEntries(
      (Object.keys(node.override) as ForkName[])
        .filter((fork) => schedule[fork] !== chain.schedule[fork])
        .map((fork) => [fork, schedule[fork] ?? null]),
    ),
  };
}
