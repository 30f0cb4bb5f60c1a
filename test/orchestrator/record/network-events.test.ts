import { describe, expect, it } from 'vitest';
import { createNetworkEvents } from '../../../src/orchestrator/record/network-events.ts';
import type { NetworkEvent } from '../../../src/orchestrator/state/network-event-type.ts';
import type { Problem } from '../../../src/orchestrator/state/problem.ts';
import type { TaskPhase } from '../../../src/orchestrator/state/state.ts';

const CL = 'main/verifier/cl';
const problem = (what: string): Problem => ({ subject: CL, what, since: 1, because: null });

/** Tells a collection of one task's problems and phases, and returns the kinds and words of its events. */
function eventsOf(looks: readonly (readonly [phase: TaskPhase, what?: string])[]): string[] {
  const list: NetworkEvent[] = [];
  const events = createNetworkEvents((event) => list.push(event));
  for (const [phase, what] of looks) events.problems(what === undefined ? [] : [problem(what)], () => phase);
  return list.map((event) => ('what' in event ? `${event.kind}: ${event.what}` : event.kind));
}

describe('a problem of a process', () => {
  it.each<[string, Parameters<typeof eventsOf>[0], string[]]>([
    [
      'is told once while it stands',
      [
        ['unhealthy', 'stands'],
        ['unhealthy', 'stands'],
      ],
      ['stall: stands'],
    ],
    ['is over when it is gone', [['unhealthy', 'stands'], ['ready']], ['stall: stands', 'recovery: stands']],
    ['is no stall while the process starts', [['starting', 'is starting'], ['ready']], []],
    ['is no stall while the process stops', [['stopping', 'is stopping']], []],
    [
      'is not over while the process starts again',
      [['failed', 'ended with 1'], ['starting', 'is starting'], ['ready']],
      ['stall: ended with 1', 'recovery: ended with 1'],
    ],
    [
      'is told again where it changed',
      [['unhealthy', 'stands'], ['failed', 'ended with 1'], ['ready']],
      ['stall: stands', 'stall: ended with 1', 'recovery: ended with 1'],
    ],
  ])('%s', (_, looks, expected) => expect(eventsOf(looks)).toEqual(expected));
});

it('a new reader is told the faults that stand', () => {
  const events = createNetworkEvents(() => undefined);
  const tell = (id: string, state: 'added' | 'healed' | 'done') =>
    events.emit({ kind: 'fault', at: 1, id, what: 'a fault', state });
  for (const id of ['stands', 'heals', 'meets']) tell(id, 'added');
  tell('heals', 'healed');
  tell('meets', 'done');
  expect(events.present()).toMatchObject([{ network: { id: 'stands', state: 'added' } }]);
});
