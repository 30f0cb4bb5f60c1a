import { type Check, chainsOf } from './check.ts';

/** Sequencers of a set: with two, the loss of one leaves none to take over from. */
const LEAST = 3;

/** Options of the rollup node that name the key of the blocks that it gossips, and its remote signer. */
const KEY = 'p2p.sequencer.key.path';
const SIGNER = 'signer.endpoint';

/** Options by which the rollup node follows the conductor. */
const CONDUCTOR = ['conductor.enabled', 'conductor.rpc'];

/** A conductor leads three or more sequencers, each with a rollup node that follows it and the sequencer's key. */
export const conductors: Check = (context) => {
  for (const [name, { conductor, signer, nodes }] of chainsOf(context)) {
    if (conductor === null) continue;
    const path = ['chains', name, 'conductor'];
    if (conductor.front !== null && conductor.ports['raft'] !== undefined)
      context.report([...path, 'ports', 'raft'], 'value', 'each sequencer of the set has a raft port of its own', {
        allowed: 'only rpc, the port by which the leader is reached; leave raft out',
      });
    const members = Object.entries(nodes).filter(([, { role }]) => role === 'sequencer');
    if (members.length < LEAST)
      context.report(path, 'sequencer', `a conductor leads a set of sequencers, and "${name}" has ${members.length}`, {
        allowed: `${LEAST} or more nodes with role: sequencer, or no conductor`,
        premises: [['chains', name, 'nodes']],
      });
    for (const [node, { cl }] of members) {
      const at = [...context.nodePath(name, node), 'cl'];
      if (cl.external !== undefined || context.clients.get(cl.client)?.takesConductor === false)
        context.report(
          [at, path],
          'client',
          `${cl.external === undefined ? cl.client : 'an external rollup node'} does not follow the conductor`,
          { allowed: 'rollup-node, or a template of yours that refers to ${conductor.rpc}' },
        );
      const isTaken = (name: string) => ['null', '', 'false'].includes(String(cl.args?.[name]));
      const key = signer === null ? KEY : SIGNER;
      if (isTaken(key))
        context.report([...at, 'args', key], 'value', `"${node}" could not sign its blocks: it lacks the key`, {
          allowed: 'every member of the set has it; leave the argument out',
        });
      for (const name of CONDUCTOR.filter(isTaken))
        context.report([...at, 'args', name], 'value', `"${node}" would not follow the conductor`, {
          allowed: 'every member of the set does; leave the argument out',
        });
    }
  }
};
