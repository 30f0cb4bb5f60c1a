import { EXIT, Failure } from '../../system/failure.ts';
import type { Plan } from '../plan/plan.ts';
import { nearest } from '../spec/text/nearest.ts';

/** One machine of a network: a node, a batcher or proposer, L1, or the beacon node of L1 alone. */
export interface Place {
  /** As messages name it: `main/late`, `l1`. */
  readonly name: string;
  readonly tasks: readonly string[];
  readonly chain?: string;
  /** Whether it is a node of its chain. */
  readonly isNode: boolean;
}

type Network = Pick<Plan, 'network'>;

/** Lists the places of a network. */
export function placesOf({ network }: Network): readonly Place[] {
  const ofChains = network.chains.flatMap(
    ({ name: chain, nodes, batcher, proposer, challenger, signer, daServer, conductor }): readonly Place[] => [
      ...nodes.map(({ name, el, cl, conductor: member }) => ({
        ...{ name: `${chain}/${name}`, chain, isNode: true },
        tasks: [el.task, cl.task, ...(member === undefined ? [] : [member.task])],
      })),
      ...[batcher, proposer, challenger, signer, daServer, conductor].flatMap((poster) =>
        poster === undefined ? [] : [{ name: poster.task, chain, isNode: false, tasks: [poster.task] }],
      ),
    ],
  );
  return [
    ...ofChains,
    { name: 'l1', isNode: false, tasks: ['l1', 'l1-beacon'] },
    { name: 'beacon', isNode: false, tasks: ['l1-beacon'] },
  ];
}

/** Finds a place by its name, without its chain if one chain has it. Undefined: none has it. */
export function findPlace(plan: Network, word: string): Place | undefined {
  const places = placesOf(plan);
  const exact = places.find(({ name }) => name === word);
  if (exact !== undefined) return exact;
  const [first, ...others] = places.filter(({ name, chain }) => name === `${chain}/${word}`);
  if (others.length > 0)
    throw refusal(`several chains have ${word}: expected CHAIN/${word}`, { word, expected: [first, ...others] });
  return first;
}

/** Finds the place that a standing fault names. Undefined: the network has none any more, or several. */
export function placeNow(plan: Network, word: string): Place | undefined {
  try {
    return findPlace(plan, word);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** Finds a place by its name. @throws Failure `fault` (exit 2) with the nearest name */
export function placeNamed(plan: Network, word: string): Place {
  const place = findPlace(plan, word);
  if (place !== undefined) return place;
  const names = placesOf(plan).map((each) => shortName(plan, each));
  const near = nearest(word, [...names, ...placesOf(plan).map(({ name }) => name)]);
  throw refusal(
    `there is no node ${JSON.stringify(word)}`,
    { word, expected: names },
    near === undefined
      ? `expected one of ${names.join(', ')}`
      : `did you mean ${near}? expected one of ${names.join(', ')}`,
  );
}

/** Returns the name of a place as users write it: without its chain if there is one chain. */
export function shortName({ network }: Network, { name, chain }: Place): string {
  return network.chains.length === 1 && chain !== undefined ? name.slice(chain.length + 1) : name;
}

/** Refuses a fault that the network cannot have. */
export function refusal(message: string, data: Record<string, unknown> = {}, hint?: string): Failure<'fault'> {
  return new Failure('fault', message, { exit: EXIT.usage, data, ...(hint === undefined ? {} : { hint }) });
}
