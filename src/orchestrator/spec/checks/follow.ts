import type { ChainSpec } from '../schema/types.ts';
import { nearest } from '../text/nearest.ts';
import { type Check, chainsOf, placesOfNode } from './check.ts';

/** A light node follows another node of its chain, which leads to one that derives. Its blocks come by gossip. */
export const follow: Check = (context) => {
  for (const [chain, { nodes }] of chainsOf(context))
    for (const [name, { role, cl, peers }] of Object.entries(nodes)) {
      const source = cl.follow;
      if (source === undefined) continue;
      const place = context.nodePath(chain, name);
      const path = [...place, 'cl', 'follow'];
      const others = Object.keys(nodes).filter((other) => other !== name);
      const report = (message: string, allowed?: string) => context.report(path, 'follow', message, { allowed });
      if (role === 'sequencer') report('the sequencer derives its safe head: only a verifier follows another node');
      else if (source === name) report(`"${name}" cannot follow itself`, others.join(', '));
      else if (!others.includes(source))
        context.report(path, 'follow', `the chain "${chain}" has no node "${source}"`, {
          allowed: others.join(', '),
          nearest: nearest(source, others),
          premises: placesOfNode(chain, source),
        });
      else if (leadsTo(nodes, source).includes(name))
        report(`${[name, ...leadsTo(nodes, source)].join(' follows ')}: none of them derives the chain`);
      else if (context.clients.get(cl.client)?.follows === false)
        report(`${cl.client} has no option to follow another node`);
      else if (peers.length === 0 && !Object.values(nodes).some((node) => node.peers.includes(name)))
        context.report([[...place, 'peers'], path], 'follow', `"${name}" has no peers that send it blocks`, {
          allowed: 'peers, as a node that follows another one derives no block',
        });
    }
};

/** Lists the nodes that a node leads to by what it follows, itself included. Each stands in it once. */
function leadsTo(nodes: ChainSpec['nodes'], from: string): readonly string[] {
  const names: string[] = [];
  for (let name: string | undefined = from; name !== undefined && !names.includes(name); name = nodes[name]?.cl.follow)
    names.push(name);
  return names;
}
