import type { Plan } from '../plan/plan.ts';
import type { FollowingHead } from './lag-watch.ts';

/**
 * Lists the heads of a network that follow other heads.
 * A verifier's unsafe head follows its sequencer's by gossip, the highest of a set. Every node derives the same L1
 * blocks, so its safe head follows those of the other nodes, and its derivation follows L1.
 */
export function followingHeads({ network }: Plan, l1Head: string): FollowingHead[] {
  return network.chains.flatMap(({ nodes, batcher }) => {
    const sequencers = nodes.filter(({ role }) => role === 'sequencer');
    if (sequencers.length === 0) return [];
    return nodes.flatMap(({ role, gossip, cl }): FollowingHead[] => {
      const derivation = `${cl.task} derivation`;
      const others = nodes.flatMap((other) => (other.cl.task === cl.task ? [] : [`${other.cl.task} safe`]));
      return [
        ...(role === 'verifier' && gossip
          ? [
              {
                gauge: `${cl.task} unsafe`,
                leaders: sequencers.map((sequencer) => `${sequencer.cl.task} unsafe`),
                pace: `${cl.task} unsafe`,
                name: 'unsafe head',
              },
            ]
          : []),
        ...(batcher && others.length > 0
          ? [{ gauge: `${cl.task} safe`, leaders: others, pace: derivation, name: 'safe head' }]
          : []),
        { gauge: derivation, leaders: [l1Head], pace: derivation, name: 'derivation' },
      ];
    });
  });
}
