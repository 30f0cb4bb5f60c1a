import type { Moment } from '../../health/gauge/gauge.ts';
import type { HeadRef } from '../../health/gauge/head-window.ts';
import type { ChainView, NodeView, Plan } from '../../plan/plan.ts';
import type { NetworkEvent } from '../../state/network-event-type.ts';
import { activationOf, blockAt } from '../../status/forks.ts';

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
