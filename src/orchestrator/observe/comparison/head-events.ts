import type { ChainView, NodeView, Plan } from '../../plan/plan.ts';
import { activationOf, blockAt } from '../forks.ts';
import type { Moment } from '../health/gauge.ts';
import type { NetworkEvent } from '../network-event-type.ts';
import type { HeadRef } from './window.ts';

/** Returns the events of a new head of a node. Forks are those that its time has reached since `before`. */
export function headEvents(
  plan: Plan,
  chain: ChainView,
  node: NodeView,
  head: HeadRef,
  before: HeadRef | undefined,
  { wall: at }: Moment,
): NetworkEvent[] {
  if (before?.hash === head.hash) return [];
  const place = { at, chain: chain.name, node: node.name };
  const names = new Set([...Object.keys(chain.forks), ...Object.keys(node.overrides)]);
  const forks = [...names].flatMap((fork): NetworkEvent[] => {
    const time = activationOf(fork, chain, node);
    if (time === null || before === undefined || before.time >= time || head.time < time) return [];
    return [{ kind: 'fork', ...place, fork, block: blockAt(time, plan.genesisTime, chain.blockTime), time }];
  });
  const { number, hash, time } = head;
  return [{ kind: 'head', ...place, number, hash, time }, ...forks];
}
