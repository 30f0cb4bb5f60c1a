import type { ChainView, NodeView, Plan } from '../plan/plan.ts';
import type { GaugeSpec } from './gauge/gauge.ts';

/** The subjects of L1, as their tasks are called, and the gauge of its blocks. */
export const L1 = 'l1';
export const BEACON = 'l1-beacon';
export const L1_HEAD = `${L1} head`;

/** Returns the heads of L1. `l1Ms`: its block time. Intervals of all gauges are ms of the network's clock. */
export function l1Gauges(l1Ms: number): readonly GaugeSpec[] {
  return [
    {
      id: L1_HEAD,
      subject: L1,
      interval: l1Ms,
      pace: 'fixed',
      causes: [BEACON],
      description: ({ number }) => `produces no block after ${number}`,
    },
    {
      id: `${BEACON} slot`,
      subject: BEACON,
      interval: l1Ms,
      pace: 'fixed',
      causes: [L1, L1_HEAD],
      description: ({ number }) => `its head has stopped at slot ${number}`,
    },
  ];
}

/** Returns the heads and counters of a chain's nodes, and the transactions of its batcher and proposer. */
export function chainGauges(plan: Plan, chain: ChainView): GaugeSpec[] {
  const l1Ms = plan.network.l1.blockTime * 1000;
  const sequencer = chain.nodes.find(({ role }) => role === 'sequencer');
  if (sequencer === undefined) return [];
  const l1 = [L1, L1_HEAD, BEACON];
  const { conductor } = chain;
  // Of a set any one may be down, and another one leads.
  const source =
    conductor === undefined ? [sequencer.el.task, sequencer.cl.task, `${sequencer.cl.task} unsafe`] : [conductor.task];
  const posts = (task: string, causes: readonly string[], after?: string): GaugeSpec => {
    const paceMs = plan.tasks.find(({ id }) => id === task)?.paceMs;
    return {
      id: `${task} posts`,
      subject: task,
      interval: Math.max(l1Ms, paceMs ?? 0),
      pace: paceMs === undefined ? 'learnt' : 'least',
      ...(after === undefined ? {} : { after }),
      causes,
      description: ({ number }) => `sends no transaction to L1: the nonce of its account stays at ${number}`,
    };
  };
  const batches = chain.batcher && posts(chain.batcher.task, [...l1, ...source]);
  return [
    ...(batches ? [batches] : []),
    ...(chain.proposer
      ? [
          posts(
            chain.proposer.task,
            [...l1, ...source, ...(batches ? [batches.subject, batches.id] : [])],
            `${sequencer.cl.task} ${postsFinalized(plan, chain.proposer.task) ? 'finalized' : 'safe'}`,
          ),
        ]
      : []),
    ...chain.nodes.flatMap((node) => {
      const polls = plan.tasks.find(({ id }) => id === node.cl.task)?.polls;
      return nodeGauges(chain, node, {
        l1,
        l1Ms: Math.max(l1Ms, polls?.l1HeadMs ?? 0),
        finalityMs: polls?.l1FinalityMs ?? 0,
        source,
        batches,
      });
    }),
  ];
}

/** A sequencer of a set makes blocks, and gets those of the others, only with its conductor. */
function conductorOf({ conductor }: ChainView): readonly string[] {
  return conductor === undefined ? [] : [conductor.task];
}

function postsFinalized(plan: Plan, task: string): boolean {
  return plan.tasks.find(({ id }) => id === task)?.postsFinalized === true;
}

interface ChainContext {
  readonly l1: readonly string[];
  /** Time (ms) between two heads of L1 that the node reads, and between two finalized blocks. */
  readonly l1Ms: number;
  readonly finalityMs: number;
  /** Gauges of the sequencer that explain a missing block. */
  readonly source: readonly string[];
  readonly batches: GaugeSpec | undefined;
}

function nodeGauges(
  chain: ChainView,
  { role, gossip, follows, el, cl }: NodeView,
  { l1, l1Ms, finalityMs, source, batches }: ChainContext,
): GaugeSpec[] {
  const gauge = (head: string, rest: Omit<GaugeSpec, 'id' | 'subject'>): GaugeSpec => ({
    id: `${cl.task} ${head}`,
    subject: cl.task,
    ...rest,
  });
  const blocks = (head: string) => (value: { readonly number: number }) =>
    `${head} head has stopped at block ${value.number}`;
  const blockMs = chain.blockTime * 1000;
  // A light node has what its source has derived.
  const origin = chain.nodes.find(({ name }) => name === follows)?.cl.task;
  const followed = origin === undefined ? [] : [origin, `${origin} derivation`];
  const derivation = gauge('derivation', {
    interval: Math.max(l1Ms, blockMs),
    pace: 'least',
    causes: [el.task, ...l1, ...followed],
    description: ({ number }) => `derivation has stopped at L1 block ${number}`,
  });
  const derived = {
    interval: Math.max(batches?.interval ?? 0, derivation.interval),
    pace: batches?.pace ?? 'learnt',
    causes: [...derivation.causes, derivation.id, ...(batches ? [batches.subject, batches.id] : []), ...source],
  } as const;
  const unsafe =
    role === 'sequencer'
      ? ({ interval: blockMs, pace: 'fixed', causes: [el.task, ...conductorOf(chain), ...l1] } as const)
      : gossip
        ? ({ interval: blockMs, pace: 'least', causes: [el.task, ...source, ...l1] } as const)
        : derived;
  const hasUnsafe = role === 'sequencer' || gossip || batches !== undefined;
  return [
    ...(hasUnsafe
      ? [
          gauge('unsafe', { ...unsafe, description: blocks('unsafe') }),
          {
            ...unsafe,
            id: `${el.task} head`,
            subject: el.task,
            causes: [cl.task, `${cl.task} unsafe`],
            description: ({ number }: { readonly number: number }) => `its head has stopped at block ${number}`,
          },
        ]
      : []),
    ...(role === 'sequencer'
      ? [
          gauge('origin', {
            interval: Math.max(l1Ms, blockMs),
            pace: 'fixed',
            causes: [el.task, `${cl.task} unsafe`, ...l1],
            description: ({ number }) => `the L1 origin of its blocks has stopped at ${number}`,
          }),
        ]
      : []),
    derivation,
    ...(batches
      ? [
          gauge('safe', { ...derived, description: blocks('safe') }),
          gauge('finalized', {
            ...derived,
            interval: Math.max(derived.interval, finalityMs),
            causes: [`${cl.task} safe`, ...derived.causes],
            description: blocks('finalized'),
          }),
        ]
      : []),
  ];
}
