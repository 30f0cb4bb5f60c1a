import { nearest } from '../text/nearest.ts';
import { type Check, chainsOf, placesOfNode } from './check.ts';

/** A chain has exactly one sequencer, unless a conductor leads several. */
export const sequencer: Check = (context) => {
  for (const [name, { nodes, conductor }] of chainsOf(context)) {
    if (conductor !== null) continue;
    const sequencers = Object.entries(nodes).filter(([, { role }]) => role === 'sequencer');
    const [first, ...others] = sequencers.map(([node]) => node);
    const path = ['chains', name, 'nodes'];
    if (first === undefined)
      context.reportKey(path, 'sequencer', `the chain "${name}" has no sequencer`, {
        allowed: 'exactly one node with role: sequencer',
      });
    for (const extra of others) {
      const message = `"${extra}" is a second sequencer of the chain "${name}", beside "${first}"`;
      context.report([...context.nodePath(name, extra), 'role'], 'sequencer', message, {
        allowed: 'exactly one node with role: sequencer',
      });
    }
  }
};

/** Peers are other nodes of the same chain. */
export const peers: Check = (context) => {
  for (const [name, { nodes }] of chainsOf(context)) {
    const all = Object.keys(nodes);
    for (const [node, { peers: list }] of Object.entries(nodes)) {
      const path = [...context.nodePath(name, node), 'peers'];
      list.forEach((peer, index) => {
        const others = all.filter((other) => other !== node);
        if (peer === node)
          context.report([...path, index], 'peers', `"${node}" cannot be its own peer`, { allowed: others.join(', ') });
        else if (!all.includes(peer))
          context.report([...path, index], 'peers', `the chain "${name}" has no node "${peer}"`, {
            allowed: others.join(', '),
            nearest: nearest(peer, others),
            premises: placesOfNode(name, peer),
          });
        else if (list.indexOf(peer) !== index) context.report([...path, index], 'peers', `"${peer}" is listed twice`);
      });
    }
  }
};

/** Every L1 block must become the origin of an L2 block. */
export const blockTimes: Check = (context) => {
  const { l1 } = context.spec;
  for (const [name, { blockTime, from }] of chainsOf(context)) {
    if (from !== null || blockTime <= l1.blockTime) continue;
    const message =
      `L2 blocks every ${blockTime} s cannot follow L1 blocks every ${l1.blockTime} s: ` +
      'each L2 block takes in one L1 block at most';
    context.report(
      [
        ['chains', name, 'blockTime'],
        ['l1', 'blockTime'],
      ],
      'value',
      message,
      {
        allowed: `chains.${name}.blockTime of at most l1.blockTime`,
        premises: [['l1', 'blockTime']],
      },
    );
  }
};

/** What runs already is not launched. */
export const external: Check = (context) => {
  for (const [name, { nodes }] of chainsOf(context)) {
    for (const [node, { role, el, cl }] of Object.entries(nodes)) {
      const path = context.nodePath(name, node);
      for (const [part, { external: connection, launch }] of [
        ['el', el],
        ['cl', cl],
      ] as const) {
        if (connection !== undefined && launch === 'manual')
          context.report(
            [...path, part, 'launch'],
            'launch',
            `an external ${part} is running already and is not launched`,
          );
      }
      if (role === 'sequencer' && cl.external !== undefined)
        context.report(
          [...path, 'cl', 'external'],
          'launch',
          'the sequencer’s rollup node cannot be external: its signing key is part of the plan',
        );
    }
  }
};
