import { expect, it } from 'vitest';
import { pictures } from '../../../src/orchestrator/dashboard/picture.ts';
import type { Snapshot } from '../../../src/orchestrator/metrics/snapshot.ts';
import { planOf } from '../plan/planned.ts';

const many = <T>(make: (at: number) => T): T[] => Array.from({ length: 1000 }, (_, at) => make(at));

it('a picture has the problem of the traces behind those of the network', () => {
  const [disk, traces] = ['disk', 'traces'].map((subject) => ({ subject, what: 'is ill', because: null, since: 0 }));
  const snapshot = {
    ...{ plan: planOf('{}'), isUp: true, at: 5000, gathered: undefined, uses: new Map(), divergences: [] },
    state: {
      ...{ phase: 'degraded', startedAt: 0, tasks: {}, supervisor: { pid: 1 }, clock: { at: 0, wall: 0, rate: 1 } },
      ...{ problems: [disk], traces },
    },
  } as unknown as Snapshot;
  expect(pictures(process.pid)(snapshot, 'a').problems).toEqual([disk, traces]);
  expect(pictures(process.pid)({ ...snapshot, isUp: false }, 'a').problems).toEqual([disk]);
});

it('a picture shortens the fields of a divergence, problems and reports', () => {
  const long = 'x'.repeat(10_000);
  const snapshot = {
    ...{ plan: planOf('{}'), isUp: true, at: 5000, gathered: undefined, uses: new Map() },
    state: {
      ...{ phase: 'degraded', startedAt: 0, tasks: {}, supervisor: { pid: 1 }, clock: { at: 0, wall: 0, rate: 1 } },
      problems: many((at) => ({ subject: `task-${at}`, what: 'is silent', because: long, since: 0 })),
      faults: { partitions: [], shaping: [{ id: '1', since: 0, target: 'late', cut: true }], rpc: [], pool: [] },
      reports: many((block) => ({ chain: 'main', block, nodes: ['late'], path: '', lines: many(() => long) })),
    },
    divergences: [
      {
        ...{ kind: 'divergence', at: 0, chain: 'main', block: 3, nodes: ['late'], how: 'hash', since: 0, reason: long },
        fields: many((at) => `field${at}`),
      },
    ],
  } as unknown as Snapshot;
  const picture = pictures(process.pid)(snapshot, 'a');
  expect(picture.divergences[0]?.fields).toHaveLength(100);
  expect(picture.divergences[0]?.reason).toHaveLength(2001);
  expect(picture.problems).toHaveLength(100);
  expect(picture.problems[0]?.because).toHaveLength(2001);
  expect(picture.faults).toEqual(['fault 1: cut late']);
  expect(picture.reports.map(({ block }) => block)).toEqual(Array.from({ length: 100 }, (_, at) => 900 + at));
  expect(picture.reports[0]?.lines).toHaveLength(100);
  // The process that serves the page is one of those that the page shows.
  const server = picture.processes.find(({ task }) => task === 'dashboard');
  expect(server).toMatchObject({ pid: process.pid, residentBytes: expect.any(Number) });
});
