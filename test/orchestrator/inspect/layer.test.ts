import { describe, expect, it } from 'vitest';
import { layersOf } from '../../../src/orchestrator/inspect/layer.ts';
import { quickPlanOf } from '../plan/planned.ts';

const SET = 'chains: { main: { conductor: true, nodes: { s: { role: sequencer, count: 3 }, v: {} } } }';

describe('the places that a command asks', () => {
  const labels = (...words: Parameters<typeof layersOf>) => layersOf(...words).map(({ label }) => label);

  it('are the leader of a set and L1', () => {
    expect(labels(quickPlanOf(SET), {}, new Map([['main', 's-2']]))).toEqual(['main/s-2', 'l1']);
    expect(labels(quickPlanOf(SET), { chain: 'main' }, new Map([['main', 's-3']]))).toEqual(['main/s-3']);
  });

  it('are the first sequencer and L1 when no conductor names a leader', () => {
    expect(labels(quickPlanOf(SET), {}, new Map())).toEqual(['main/s-1', 'l1']);
    expect(labels(quickPlanOf('{}'), {}, new Map())).toEqual(['main/sequencer', 'l1']);
  });

  it('are the node that is named, whichever leads', () => {
    expect(labels(quickPlanOf(SET), { node: 'v' }, new Map([['main', 's-2']]))).toEqual(['main/v']);
  });

  it('are all sequencers when the leader is not asked for', () => {
    expect(labels(quickPlanOf(SET), {})).toEqual(['main/s-1', 'main/s-2', 'main/s-3', 'l1']);
  });
});
