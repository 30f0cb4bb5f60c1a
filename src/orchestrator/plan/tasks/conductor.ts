import type { ProcessSpec } from '../../spec/schema/types.ts';
import type { ReferencesOf, ValuesOf } from '../../template/references.ts';
import { entryOf, memberId, taskIds } from '../lookup.ts';
import { advertise, OUTSIDE, urlOf } from '../reach.ts';
import type { ChainContext } from './context.ts';
import { needsOf } from './needs.ts';
import { type PlannedPoster, planPoster } from './poster.ts';
import { planTask } from './task.ts';

/** Plans the process that the sequencers of a chain are reached by; undefined if the spec has no conductor. */
export function planConductor(context: ChainContext): PlannedPoster | undefined {
  const { chain, addresses } = context;
  const { conductor } = chain.spec;
  if (conductor === null) return undefined;
  const url = (task: string, port: string) => urlOf(addresses, 'http', `${chain.name}/conductor`, task, port);
  const members = sequencersOf(context).map((node) => {
    const { el, cl } = taskIds(chain.name, node);
    const parts = [node, url(cl, 'rpc'), url(el, 'http')];
    if (conductor.front === null) return parts.join('=');
    const id = memberId(chain.name, node);
    const { host, port } = advertise(addresses, id, 'raft');
    return [...parts, url(id, 'rpc'), `${host}:${port}`].join('=');
  });
  const values: ValuesOf<'conductor.members'> = { 'conductor.members': members.join(',') };
  return planPoster({ kind: 'conductor', process: conductor.front ?? conductor, values }, context);
}

/** Plans a conductor for each sequencer, by the names of these. It is empty if one conductor leads the set. */
export function planMembers(context: ChainContext): ReadonlyMap<string, PlannedPoster> {
  const { conductor } = context.chain.spec;
  if (conductor?.front == null) return new Map();
  return new Map(sequencersOf(context).map((node, at) => [node, planMember(context, conductor, node, at === 0)]));
}

function planMember(context: ChainContext, process: ProcessSpec, node: string, isFirst: boolean): PlannedPoster {
  const { chain, clients, spec, addresses, files } = context;
  const template = entryOf(clients, process.client);
  const [id, { el, cl }] = [memberId(chain.name, node), taskIds(chain.name, node)];
  const ofMember = (from: string): ValuesOf<ReferencesOf<'member'>> => ({
    'member.name': node,
    'member.rpc': urlOf(addresses, 'http', from, cl, 'rpc'),
    'member.http': urlOf(addresses, 'http', from, el, 'http'),
    'member.first': isFirst ? true : undefined,
  });
  const planned = planTask(
    {
      ...{ id, chain: chain.name, node, process, template, overrides: {}, secrets: [], peers: 0, files },
      values: (from) => ({ ...context.values(from), ...ofMember(from) }),
      needs: needsOf(template, { el, cl }, entryOf(clients, spec.l1.beacon.client)),
      onExit: chain.spec.onExit,
    },
    context,
  );
  return { ...planned, view: { task: id, rpc: urlOf(addresses, 'http', OUTSIDE, id, 'rpc') } };
}

function sequencersOf({ chain }: ChainContext): readonly string[] {
  return Object.entries(chain.spec.nodes).flatMap(([node, { role }]) => (role === 'sequencer' ? [node] : []));
}
