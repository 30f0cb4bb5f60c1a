import { taskIds } from '../plan/lookup.ts';
import type { Spec } from '../spec/schema/types.ts';

/** Labels of the machine on which an engine runs a task: values by their names. */
export type NodeLabels = Readonly<Record<string, string>>;

/** Labels by the ids of tasks. Tasks without any run anywhere. */
export type Places = Readonly<Record<string, NodeLabels | undefined>>;

/** Returns the labels that the innermost `place` of a spec asks for, by task. */
export function placesOf({ place, l1, chains }: Spec): Places {
  const ofChain = ([name, chain]: [string, Spec['chains'][string]]) => {
    const outer = chain.place ?? place;
    const ofNodes = Object.entries(chain.nodes).flatMap(([node, { place: ofNode, el, cl }]) => {
      const ids = taskIds(name, node);
      return [
        [ids.el, el.place ?? ofNode ?? outer],
        [ids.cl, cl.place ?? ofNode ?? outer],
      ] as const;
    });
    const others = (['batcher', 'proposer'] as const).map((part) => [`${name}/${part}`, chain[part]?.place ?? outer]);
    const ofChallenger = chain.proposer?.challenger?.place ?? outer;
    const ofSigner = chain.signer?.place ?? outer;
    const services = [
      [`${name}/challenger`, ofChallenger] as const,
      [`${name}/signer`, ofSigner] as const,
      [`${name}/da-server`, chain.altDa?.place ?? outer] as const,
      [`${name}/conductor`, chain.conductor?.place ?? outer] as const,
    ];
    return [...ofNodes, ...others, ...services];
  };
  const ofL1 = l1.place ?? place;
  return Object.fromEntries([['l1', ofL1], ['l1-beacon', ofL1], ...Object.entries(chains).flatMap(ofChain)]);
}
