import { expect, it } from 'vitest';
import { dependencies } from '../../../src/orchestrator/health/dependencies.ts';
import type { GaugeSpec } from '../../../src/orchestrator/health/gauge/gauge.ts';

const gauge = (id: string, subject: string, ...causes: string[]): GaugeSpec => ({
  ...{ id, subject, causes, interval: 1000, pace: 'fixed' },
  description: () => '',
});

it('a gauge depends on its own task and on those of all its causes, also in a circle', () => {
  const behind = dependencies([
    gauge('l1 head', 'l1', 'l1-beacon', 'l1-beacon slot'),
    gauge('l1-beacon slot', 'l1-beacon', 'l1 head'),
    gauge('cl safe', 'cl', 'el', 'cl derivation'),
    gauge('cl derivation', 'cl', 'l1 head'),
  ]);
  expect([...behind].map(([id, tasks]) => [id, [...tasks].sort()])).toEqual([
    ['l1 head', ['l1', 'l1-beacon']],
    ['l1-beacon slot', ['l1', 'l1-beacon']],
    ['cl safe', ['cl', 'el', 'l1', 'l1-beacon']],
    ['cl derivation', ['cl', 'l1', 'l1-beacon']],
  ]);
});
