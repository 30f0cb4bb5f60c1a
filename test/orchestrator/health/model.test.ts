import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explain } from '../../../src/orchestrator/health/explain.ts';
import { healthFacts } from '../../../src/orchestrator/health/facts.ts';
import { Health } from '../../../src/orchestrator/health/model.ts';
import type { Problem } from '../../../src/orchestrator/state/problem.ts';
import { Simulated } from './simulated.ts';

const FAST = 'l1: { blockTime: 1 }\nchains: { main: { blockTime: 1 } }';
const SLOW = 'l1: { blockTime: 12 }\nchains: { main: { blockTime: 2 } }';

interface Case {
  readonly name: string;
  readonly spec?: string;
  /** What stands still. */
  readonly stalled?: readonly string[];
  /** Tasks that do not answer. */
  readonly silent?: readonly string[];
  /** The first problem. */
  readonly subject: string;
  readonly what: RegExp;
  /** Seconds between two movements. */
  readonly interval: number;
  /** Seconds after which the movement is expected, if that is later. */
  readonly lag?: number;
  /** Subjects that the first problem explains. */
  readonly explained?: readonly string[];
}

const CASES: readonly Case[] = [
  {
    name: 'L1 makes no blocks',
    stalled: ['l1'],
    subject: 'l1',
    what: /^produces no block after \d+$/,
    interval: 2,
    explained: ['l1-beacon', 'main/batcher', 'main/sequencer/cl', 'main/verifier/cl'],
  },
  {
    name: 'L1 makes no blocks, at a tenth of the usual pace',
    spec: 'time: { rate: 0.1 }',
    stalled: ['l1'],
    subject: 'l1',
    what: /^produces no block after \d+$/,
    interval: 20,
    explained: ['l1-beacon', 'main/batcher', 'main/sequencer/cl', 'main/verifier/cl'],
  },
  {
    name: 'the beacon is gone',
    silent: ['l1-beacon'],
    subject: 'l1-beacon',
    what: /^does not answer$/,
    interval: 2,
    explained: ['l1', 'main/batcher'],
  },
  { name: 'L1 does not answer', silent: ['l1'], subject: 'l1', what: /^does not answer$/, interval: 2 },
  {
    name: 'the batcher was stopped',
    stalled: ['main/batcher'],
    subject: 'main/batcher',
    what: /sends no transaction to L1/,
    interval: 2,
    explained: ['main/sequencer/cl', 'main/verifier/cl'],
  },
  {
    name: 'the batcher is frozen',
    silent: ['main/batcher'],
    subject: 'main/batcher',
    what: /^does not answer$/,
    interval: 2,
    explained: ['main/sequencer/cl', 'main/verifier/cl'],
  },
  {
    name: 'the proposer was stopped',
    spec: 'chains: { main: { proposer: { interval: 12 } } }',
    stalled: ['main/proposer'],
    subject: 'main/proposer',
    what: /sends no transaction to L1/,
    interval: 12,
    lag: 2,
  },
  {
    name: 'derivation of one node cannot go on',
    stalled: ['verifier derivation'],
    subject: 'main/verifier/cl',
    what: /^derivation has stopped at L1 block \d+/,
    interval: 2,
  },
  {
    name: 'batches are dropped by one node',
    stalled: ['verifier safe'],
    subject: 'main/verifier/cl',
    what: /^safe head has stopped at block \d+/,
    interval: 2,
  },
  {
    name: 'a node gets no finality',
    stalled: ['verifier finality'],
    subject: 'main/verifier/cl',
    what: /^finalized head has stopped at block \d+$/,
    interval: 2,
    lag: 4,
  },
  {
    name: 'the sequencer makes no blocks',
    stalled: ['sequencer unsafe'],
    subject: 'main/sequencer/cl',
    what: /unsafe head has stopped at block \d+/,
    interval: 2,
    explained: ['main/sequencer/el', 'main/verifier/cl'],
  },
  {
    name: 'the same with blocks of one second',
    spec: FAST,
    stalled: ['sequencer unsafe'],
    subject: 'main/sequencer/cl',
    what: /unsafe head has stopped/,
    interval: 1,
  },
  {
    name: 'the batcher with an L1 of 12 s',
    spec: SLOW,
    stalled: ['main/batcher'],
    subject: 'main/batcher',
    what: /sends no transaction to L1/,
    interval: 12,
  },
  {
    name: 'a frozen execution client explains its rollup node',
    silent: ['main/verifier/el'],
    stalled: ['verifier derivation', 'verifier gossip'],
    subject: 'main/verifier/el',
    what: /^does not answer$/,
    interval: 2,
    explained: ['main/verifier/cl'],
  },
];

/** Seconds until a condition on the problems holds; undefined: it did not. */
function until(network: Simulated, seconds: number, holds: (problems: readonly Problem[]) => boolean) {
  for (let second = 0; second <= seconds; second++) {
    if (holds(network.problems())) return second;
    network.run(1);
  }
  return undefined;
}

describe('a standstill', () => {
  it.each(CASES)('$name', ({ spec, stalled = [], silent = [], subject, what, interval, lag = 0, explained = [] }) => {
    const network = new Simulated(spec);
    expect(network.run(interval * 30).flat()).toEqual([]);
    for (const each of stalled) network.stalled.add(each);
    for (const each of silent) network.silent.add(each);
    // From the last movement to the expected one is an interval; then max(5 s, 3 intervals) are allowed.
    const limit = interval + lag + Math.max(5, 3 * interval);
    const delay = until(network, limit, ([first]) => first?.subject === subject);
    expect(delay).toBeDefined();
    expect(network.problems()[0]?.what).toMatch(what);

    network.run(limit * 2);
    const [first, ...others] = network.problems();
    expect(first).toMatchObject({ subject, what: expect.stringMatching(what) });
    expect(others.map((other) => other.subject)).toEqual(expect.arrayContaining([...explained]));
    for (const other of others) expect(other.because).toContain(`${subject}: `);

    network.stalled.clear();
    network.silent.clear();
    const recovered = until(network, 2 * interval + 1, (problems) => problems.length === 0);
    expect(recovered, JSON.stringify(network.problems(), null, 1)).toBeDefined();
    expect(network.run(interval * 20).flat()).toEqual([]);
  });

  it('a computing process without answers is reported later, with that reason', () => {
    const network = new Simulated(FAST);
    network.run(60);
    network.busy.add('l1');
    expect(network.run(20).flat()).toEqual([]);
    network.silent.add('l1');
    expect(network.run(12).flat()).toEqual([]);
    network.run(4);
    expect(network.problems()[0]).toMatchObject({
      subject: 'l1',
      what: 'does not answer',
      because: 'it keeps a processor busy',
    });
  });

  it('a stall of L1 on request is the cause from its first moment, and all limits restart at its end', () => {
    const network = new Simulated(FAST);
    network.run(60);
    network.stalled.add('l1');
    network.health.stalled({ since: network.moment.wall, until: null });
    const stall = { subject: 'l1', what: 'is stalled', because: 'on request: `devnet l1 resume` ends it' };
    expect(network.problems()).toMatchObject([stall]);
    network.run(30);
    const [first, ...others] = network.problems();
    expect(first).toMatchObject(stall);
    expect(others.length).toBeGreaterThan(2);
    for (const other of others) expect(other.because).toBe('l1: is stalled');
    network.stalled.clear();
    network.health.stalled(undefined);
    expect(network.problems()).toEqual([]);
    expect(network.run(60).flat()).toEqual([]);
  });

  it('a frozen process is reported at once while another one is busy', () => {
    const network = new Simulated(FAST);
    network.run(60);
    for (const task of ['l1', 'main/verifier/el']) network.silent.add(task);
    network.busy.add('l1');
    network.run(6);
    expect(network.problems()).toMatchObject([{ subject: 'main/verifier/el', what: 'does not answer' }]);
  });

  it('a proposer that never posts is reported, one that has nothing to post is not', () => {
    const network = new Simulated('chains: { main: { proposer: { interval: 12 } } }');
    network.stalled.add('main/proposer').add('main/batcher');
    network.run(120);
    expect(network.problems().map(({ subject }) => subject)).not.toContain('main/proposer');
    network.stalled.delete('main/batcher');
    network.run(65);
    expect(network.problems()).toMatchObject([{ subject: 'main/proposer' }]);
  });

  it('a proposer whose transactions revert is reported, although its nonce moves', () => {
    const network = new Simulated('{}');
    network.proposes = 2;
    expect(network.run(60).flat()).toEqual([]);
    network.proposes = 0;
    network.run(60);
    expect(network.problems()).toMatchObject([
      {
        subject: 'main/proposer',
        what: expect.stringMatching(/^its outputs stand at block \d+, \d+ blocks behind the newest block to propose$/),
      },
    ]);
    network.proposes = 16;
    network.run(30);
    expect(network.problems()).toEqual([]);
  });

  it.each([
    ['one in each L1 block of 12 s', 12, 2, 1],
    ['16 in every 60th L1 block of 2 s', 2, 32, 60],
  ])('a proposer whose outputs fall behind is reported, although they move: %s', (_, l1, blocks, every) => {
    const network = new Simulated(
      `l1: { blockTime: ${l1} }\nchains: { main: { blockTime: 2, proposer: { interval: 4 } } }`,
    );
    network.proposes = blocks;
    network.proposesEvery = every;
    network.run(20 * l1 * every);
    expect(network.problems()).toMatchObject([
      {
        subject: 'main/proposer',
        what: expect.stringMatching(/its outputs fall behind: .* \d+ blocks older .*, at most \d+ are expected/),
      },
    ]);
    network.proposes = 10_000;
    network.proposesEvery = 1;
    network.run(60);
    expect(network.problems()).toEqual([]);
  });

  it('a rollup node that reads L1 seldom is late by its own intervals only', () => {
    const real = 'verifier: { el: execution-go, cl: { client: kona-node, binary: /bin/kona-node } }';
    const network = new Simulated(
      `l1: { blockTime: 1 }\nchains: { main: { blockTime: 1, nodes: { sequencer: { role: sequencer }, ${real} } } }`,
    );
    network.polls = { head: 4, finality: 60 };
    expect(network.run(400).flat()).toEqual([]);
    network.stalled.add('verifier safe');
    expect(until(network, 20, ([first]) => /^safe head has stopped/.test(first?.what ?? ''))).toBeDefined();
    network.stalled.clear();
    expect(until(network, 8, (problems) => problems.length === 0)).toBeDefined();
    network.stalled.add('verifier finality');
    expect(until(network, 240, ([first]) => /^finalized head has stopped/.test(first?.what ?? ''))).toBeDefined();
  });

  it('an empty account explains why the batcher sends nothing', () => {
    const network = new Simulated();
    network.run(60);
    network.stalled.add('main/batcher');
    network.balances['main/batcher'] = 5n;
    network.run(20);
    expect(network.problems()[0]).toMatchObject({
      subject: 'main/batcher',
      because: expect.stringMatching(/0x[0-9a-f]{40} has 5 wei left on L1/),
    });
  });

  it('an L1 whose time was moved is reported, and explains the tasks that wait for it', () => {
    const network = new Simulated();
    network.run(60);
    network.l1.ahead = 600;
    network.stalled.add('l1');
    network.run(5);
    expect(network.problems()[0]).toMatchObject({
      subject: 'l1',
      what: expect.stringMatching(/^its time was moved \d+ min( \d+ s)? ahead of the network's clock/),
    });
  });

  it('a chain that falls behind the clock is reported although it moves', () => {
    const network = new Simulated(FAST);
    network.run(30);
    network.slow = 3;
    network.run(30);
    expect(network.problems()).toMatchObject([
      { subject: 'main/sequencer/cl', what: expect.stringContaining("falls behind the network's clock") },
    ]);
  });

  it.each([
    ['unsafe', 'unsafe head', /^unsafe head is \d+ blocks \([\d a-z]+ of chain time\) behind main\/sequencer\/cl$/],
    ['safe', 'safe head', /^safe head is \d+ blocks \([\d a-z]+ of chain time\) behind main\/sequencer\/cl$/],
    ['derivation', 'derivation', /^derivation is \d+ blocks behind l1$/],
  ])("a verifier's %s head that moves and is late is a problem, with its lag", (head, _, what) => {
    const network = new Simulated(FAST);
    network.run(30);
    network.crawls.set(`verifier ${head}`, 3);
    network.run(60);
    const late = { subject: 'main/verifier/cl', what: expect.stringMatching(what), because: null };
    expect(network.problems()).toMatchObject([late]);
    network.crawls.clear();
    network.run(10);
    expect(network.problems()).toEqual([]);
  });

  it("a sequencer's safe head is compared with those of its verifiers", () => {
    const network = new Simulated(FAST);
    network.run(30);
    network.crawls.set('sequencer safe', 3);
    network.run(60);
    expect(network.problems()).toMatchObject([
      { subject: 'main/sequencer/cl', what: expect.stringContaining('behind main/verifier/cl') },
    ]);
  });

  it('a late head is reported however often the clock is moved', () => {
    const network = new Simulated(FAST);
    network.run(30);
    network.crawls.set('verifier unsafe', 3);
    for (let second = 0; second < 60; second++) {
      network.run(1);
      network.health.clockMoved();
    }
    expect(network.problems()).toMatchObject([
      { subject: 'main/verifier/cl', what: expect.stringContaining('unsafe head is') },
    ]);
  });

  it('a late head names the process that is busy, and its message changes when the lag doubles', () => {
    const network = new Simulated(FAST);
    network.run(30);
    network.crawls.set('verifier unsafe', 3);
    const messages = new Set<string>();
    for (let second = 0; second < 80; second++) {
      network.health.used(new Map([['main/verifier/el', 900]]), 1000);
      for (const { what } of network.run(1).flat()) messages.add(what);
    }
    expect(network.problems()).toMatchObject([{ because: 'main/verifier/el keeps a processor busy' }]);
    expect(messages.size).toBeLessThan(6);
  });

  it('a node that derives some blocks behind L1 is not late', () => {
    const network = new Simulated();
    for (const head of ['derived', 'safe'] as const) {
      let value = 0;
      const late: number[] = [];
      Object.defineProperty(network.nodes['verifier'], head, {
        get: () => value,
        set(next: number) {
          late.push(next);
          if (late.length > 8) value = late.shift() ?? 0;
        },
      });
    }
    expect(network.run(120).flat()).toEqual([]);
  });

  it('a chain that falls behind a clock of any rate is reported', () => {
    const network = new Simulated('{ time: { rate: 20 }, l1: { blockTime: 20 }, chains: { main: { blockTime: 20 } } }');
    network.run(30);
    expect(network.problems()).toEqual([]);
    network.slow = 3;
    network.run(30);
    expect(network.problems()).toMatchObject([
      {
        subject: 'main/sequencer/cl',
        what: expect.stringMatching(/^falls behind the network's clock: \d+ blocks \([\d a-z]+ of chain time\)/),
      },
    ]);
  });

  it('a full disk comes first and explains the rest', () => {
    const network = new Simulated();
    network.run(60);
    network.stalled.add('sequencer unsafe');
    network.health.disk(4096, '/state', network.moment);
    network.run(20);
    const [first, ...others] = network.problems();
    expect(first).toMatchObject({ subject: 'disk', what: 'is full: 4 kB are left for /state' });
    expect(others.map(({ subject }) => subject)).toContain('main/sequencer/cl');
    for (const { because } of others) expect(because).toBe('disk: is full: 4 kB are left for /state');
  });

  it('tasks that are down are problems, and explain the tasks that need them', () => {
    const network = new Simulated();
    network.run(60);
    network.health.down('main/sequencer/el', 'is stopped', network.moment, 'on request');
    network.silent.add('main/sequencer/el');
    network.run(30);
    const [first, ...others] = network.problems();
    expect(first).toEqual({
      subject: 'main/sequencer/el',
      what: 'is stopped',
      since: expect.any(Number),
      because: 'on request',
    });
    for (const other of others) expect(other.because).toBe('main/sequencer/el: is stopped');
    network.silent.clear();
    network.health.up('main/sequencer/el', network.moment);
    network.run(4);
    expect(network.problems()).toEqual([]);
  });
});

describe('no standstill', () => {
  it.each<[name: string, spec: string, batchSeconds: number]>([
    [
      'a batcher whose channels last 30 L1 blocks',
      'chains: { main: { batcher: { args: { max-channel-duration: 30 } } } }',
      60,
    ],
    [
      'a batcher whose options do not say how often it posts',
      'chains: { main: { batcher: { args: { max-channel-duration: 0 } } } }',
      90,
    ],
    ['an L1 of 12 s', SLOW, 12],
    ['blocks of 60 s', 'l1: { blockTime: 60 }\nchains: { main: { blockTime: 60 } }', 60],
    ['a batcher that is slower than its options say', '{}', 6],
    [
      'a proposer that waits for rare batches',
      'chains: { main: { batcher: { args: { max-channel-duration: 30 } }, proposer: { interval: 6 } } }',
      60,
    ],
    ['a proposer of dispute games', 'chains: { main: { proposer: { interval: 30, system: dispute-games } } }', 2],
    ['no batcher', 'chains: { main: { batcher: false } }', Number.POSITIVE_INFINITY],
  ])('%s', (_, spec, batchSeconds) => {
    const network = new Simulated(spec);
    network.batchSeconds = batchSeconds;
    expect(network.run(600).flat()).toEqual([]);
  });

  it('a proposer catches up after its batcher was away', () => {
    const network = new Simulated(SLOW);
    network.proposes = 16;
    network.run(60);
    network.stalled.add('main/batcher');
    network.run(300);
    network.stalled.clear();
    expect(
      network
        .run(300)
        .flat()
        .filter(({ subject }) => subject === 'main/proposer'),
    ).toEqual([]);
  });

  it.each(['l1', 'main/sequencer/el', 'main/verifier/cl', 'main/batcher'])('%s computes for 9 s', (task) => {
    const network = new Simulated(FAST);
    network.run(60);
    network.silent.add(task);
    network.busy.add(task);
    expect(network.run(9).flat()).toEqual([]);
    network.silent.clear();
    network.busy.clear();
    expect(network.run(60).flat()).toEqual([]);
  });

  it('a verifier without gossip moves with its safe head', () => {
    const network = new Simulated(
      'chains: { main: { batcher: { args: { max-channel-duration: 20 } }, ' +
        'nodes: { sequencer: { role: sequencer, peers: [] }, alone: { peers: [] } } } }',
    );
    network.batchSeconds = 40;
    network.stalled.add('alone gossip');
    expect(network.run(1000).flat()).toEqual([]);
  });

  it('finality in epochs: a finalized head that cannot move yet is no problem', () => {
    const network = new Simulated();
    network.stalled.add('sequencer finality').add('verifier finality');
    for (const node of Object.values(network.nodes))
      Object.defineProperty(node, 'finalL1', { get: () => 0, set: () => {} });
    expect(network.run(600).flat()).toEqual([]);
  });

  it('a moved clock restarts all limits', () => {
    const network = new Simulated();
    network.run(60);
    network.stalled.add('l1').add('sequencer unsafe').add('main/batcher');
    network.run(5);
    network.health.clockMoved();
    network.run(5);
    network.stalled.clear();
    expect(network.run(60).flat()).toEqual([]);
  });

  it('stalls shorter than the limit are not reported', () => {
    const parts = ['l1', 'main/batcher', 'sequencer unsafe', 'verifier derivation', 'verifier gossip', 'verifier safe'];
    fc.assert(
      fc.property(
        fc.array(fc.record({ part: fc.constantFrom(...parts), pause: fc.integer({ min: 6, max: 20 }) }), {
          minLength: 1,
          maxLength: 12,
        }),
        (stalls) => {
          const network = new Simulated();
          network.run(40);
          for (const { part, pause } of stalls) {
            network.stalled.add(part);
            expect(network.run(3).flat()).toEqual([]);
            network.stalled.clear();
            expect(network.run(pause).flat()).toEqual([]);
          }
        },
      ),
      { numRuns: 6 },
    );
  });

  it('longer stalls are always reported, and their end always clears them', () => {
    const parts = ['l1', 'main/batcher', 'sequencer unsafe', 'verifier derivation', 'verifier safe'];
    fc.assert(
      fc.property(
        fc.subarray(parts, { minLength: 1 }),
        fc.integer({ min: 10, max: 100 }),
        fc.integer({ min: 10, max: 60 }),
        (stalled, before, during) => {
          const network = new Simulated();
          network.run(before + 20);
          for (const part of stalled) network.stalled.add(part);
          network.run(during + 10);
          expect(network.problems().length).toBeGreaterThan(0);
          network.stalled.clear();
          network.run(6);
          expect(network.problems()).toEqual([]);
        },
      ),
      { numRuns: 6 },
    );
  });
});

describe('the next round', () => {
  const after60 = () => {
    const network = new Simulated();
    network.run(60);
    return network;
  };

  it('is urgent from 2 s after the last answer of a task', () => {
    const { health } = after60();
    expect([62_000, 62_001].map((watched) => health.isUrgent(watched))).toEqual([false, true]);
  });

  it('is urgent from a second after an expected movement, and its account is read then', () => {
    const network = after60();
    network.stalled.add('main/batcher');
    network.run(3);
    expect([63_000, 63_001].map((watched) => network.health.isUrgent(watched))).toEqual([false, true]);
    expect([63_000, 63_001].map((watched) => network.health.isLate('main/batcher', watched))).toEqual([false, true]);
    expect(network.health.isLate('l1', 63_001)).toBe(false);
  });

  it('is urgent while the disk is full or a task is in trouble', () => {
    const { health, moment } = after60();
    health.disk(0, '/state', moment);
    expect(health.isUrgent(moment.watched)).toBe(true);
    health.disk(undefined, '/state', moment);
    expect(health.isUrgent(moment.watched)).toBe(false);
    health.down('main/batcher', 'is stopped', moment);
    expect(health.isUrgent(moment.watched)).toBe(true);
  });
});

describe('the disk', () => {
  it('is full below 2 MiB, since the first time and until it has more or is unknown', () => {
    const network = new Simulated();
    const { health } = network;
    const show = (free: number | undefined) => {
      network.seconds += 1;
      health.disk(free, '/state', network.moment);
      return network.problems().filter(({ subject }) => subject === 'disk');
    };
    const full = { subject: 'disk', what: 'is full: 2048 kB are left for /state', because: null };
    const since = network.moment.wall + 2000;
    expect(show(2 * 1024 * 1024)).toEqual([]);
    expect(show(2 * 1024 * 1024 - 1)).toEqual([{ ...full, since }]);
    expect(show(0)).toEqual([{ ...full, since }]);
    expect(show(undefined)).toEqual([]);
    expect(show(0)).toMatchObject([{ what: 'is full: 0 kB are left for /state', since: since + 3000 }]);
    expect(show(2 * 1024 * 1024)).toEqual([]);
  });
});

describe('a task', () => {
  const settled = (spec = FAST) => {
    const network = new Simulated(spec);
    network.run(30);
    return network;
  };

  it('whose probes differ twice is a problem until they hold', () => {
    const { health, moment } = settled();
    const what = () => health.symptoms(moment.watched).map(({ subject, what }) => [subject, what]);
    health.probed('main/batcher', 'chain id: 1', moment);
    expect(what()).toEqual([]);
    health.probed('main/batcher', 'chain id: 1', moment);
    expect(what()).toEqual([['main/batcher', 'chain id: 1']]);
    health.probed('main/batcher', undefined, moment);
    expect(what()).toEqual([]);
  });

  it('that does not answer has the error of its last request as its reason, and no other problem', () => {
    const network = settled();
    network.health.unreachable('main/verifier/cl', 'connection refused');
    network.silent.add('main/verifier/cl');
    network.crawls.set('verifier unsafe', 3);
    network.run(30);
    const own = network.problems().filter(({ subject }) => subject === 'main/verifier/cl');
    expect(own).toMatchObject([{ what: 'does not answer', because: 'connection refused' }]);
  });

  it('that the network lacks has no problem', () => {
    const { health, moment } = settled();
    health.up('absent', moment);
    health.down('absent', 'is stopped', moment);
    health.unreachable('absent', 'refused');
    for (const _ of [1, 2]) health.probed('absent', 'another', moment);
    health.probed('absent', undefined, moment);
    health.busy('absent', 1000, moment.watched);
    health.answered('absent', { values: {}, balances: { 'main/batcher': 0n } }, moment, moment.wall);
    expect(health.symptoms(moment.watched)).toEqual([]);
  });

  it.each<[task: string, isLate: boolean]>([
    ['main/verifier/cl', false],
    ['main/sequencer/cl', false],
    ['main/batcher', true],
  ])('%s, when it is started, has a late head catch up anew where it has to do with it', (task, isLate) => {
    const network = settled();
    network.crawls.set('verifier unsafe', 3);
    network.run(60);
    expect(network.problems()).toHaveLength(1);
    network.health.up(task, network.moment);
    expect(network.problems()).toHaveLength(Number(isLate));
  });

  it.each<[name: string, restart: (network: Simulated) => void, isLate: boolean]>([
    ['the proposer is started', ({ health, moment }) => health.up('main/proposer', moment), false],
    ['another task is started', ({ health, moment }) => health.up('main/batcher', moment), true],
    ['the clock is moved', ({ health }) => health.clockMoved(), false],
  ])('has its outputs compared anew exactly when it matters: %s', (_, restart, isLate) => {
    const network = settled('{}');
    network.proposes = 0;
    network.run(90);
    expect(network.problems()).toMatchObject([{ subject: 'main/proposer' }]);
    restart(network);
    expect(network.problems()).toHaveLength(Number(isLate));
  });

  it('has its blocks compared with the clock anew when that is moved', () => {
    const network = settled();
    network.slow = 3;
    network.run(30);
    expect(network.problems()).toHaveLength(1);
    network.health.clockMoved();
    expect(network.problems()).toEqual([]);
  });
});

describe('the account of a poster', () => {
  it.each<[wei: bigint, left: string | undefined]>([
    [10n ** 15n - 1n, '0.000999999999999999 ether'],
    [10n ** 15n, undefined],
  ])('with %i wei explains missing transactions exactly when it cannot pay', (wei, left) => {
    const network = new Simulated();
    network.run(60);
    network.stalled.add('main/batcher');
    network.balances['main/batcher'] = wei;
    network.run(20);
    const address = network.health.symptoms(network.moment.watched).find(({ because }) => because)?.because;
    expect(address?.replace(/0x[0-9a-f]{40}/, 'A')).toBe(left && `its account A has ${left} left on L1`);
  });

  it('explains nothing once it has more', () => {
    const network = new Simulated();
    network.run(60);
    network.stalled.add('main/batcher');
    network.balances['main/batcher'] = 0n;
    network.run(20);
    network.balances['main/batcher'] = 10n ** 18n;
    network.run(1);
    expect(network.problems()[0]).toMatchObject({ subject: 'main/batcher', because: null });
  });
});

it('a stall of L1 that ends by itself says when', () => {
  const network = new Simulated();
  network.run(10);
  network.health.stalled({ since: network.moment.wall, until: 1_700_000_060_000 });
  expect(network.problems()).toMatchObject([{ subject: 'l1', what: 'is stalled until 2023-11-14T22:14:20Z' }]);
});

it.each<[task: string, stands: boolean]>([
  ['main/verifier/cl', false],
  ['main/sequencer/cl', true],
])('a head that stands has the limits of a start when its own task is started: %s', (task, stands) => {
  const network = new Simulated();
  network.run(60);
  network.stalled.add('verifier derivation').add('verifier gossip');
  network.run(30);
  const derivation = () => network.problems().some(({ what }) => what.includes('derivation has stopped'));
  expect(derivation()).toBe(true);
  network.health.up(task, network.moment);
  expect(derivation()).toBe(stands);
});

it('a task that is down is explained by one that it needs', () => {
  const facts = healthFacts(new Simulated().plan);
  const health = new Health({ ...facts, taskCauses: { 'main/batcher': ['disk', 'l1'] } });
  const at = { watched: 0, wall: 7 };
  for (const task of ['main/batcher', 'main/proposer', 'l1']) health.down(task, 'is stopped', at);
  expect(explain(health.symptoms(0), () => undefined).map(({ subject, because }) => [subject, because])).toEqual([
    ['l1', null],
    ['main/proposer', null],
    ['main/batcher', 'l1: is stopped'],
  ]);
});

describe('a task that computes without an answer', () => {
  /** Lets a head fall behind until it is a problem. Returns the problems after a task has computed for 10 s. */
  function afterBusy(network: Simulated, task: string): readonly Problem[] {
    expect(until(network, 300, (problems) => problems.length > 0)).toBeDefined();
    network.health.busy(task, 10_000, network.moment.watched + 2000);
    return network.problems();
  }

  it.each<[task: string, isLate: boolean]>([
    ['main/sequencer/el', false],
    ['main/batcher', true],
  ])('%s, has a late head wait for it where that depends on it', (task, isLate) => {
    const network = new Simulated(FAST);
    network.run(30);
    network.crawls.set('verifier unsafe', 3);
    expect(afterBusy(network, task)).toHaveLength(Number(isLate));
  });

  it.each<[task: string, isLate: boolean]>([
    ['main/batcher', false],
    ['main/verifier/cl', true],
  ])('%s, has late outputs wait for it where the head that they follow depends on it', (task, isLate) => {
    const network = new Simulated('{}');
    network.run(60);
    network.proposes = 0;
    expect(afterBusy(network, task)).toHaveLength(Number(isLate));
  });
});

it.each(['batcher', 'proposer'])('the account that explains why the %s sends nothing is its own', (role) => {
  const network = new Simulated('chains: { main: { proposer: { interval: 12 } } }');
  network.run(60);
  network.stalled.add(`main/${role}`);
  for (const task of ['main/batcher', 'main/proposer']) network.balances[task] = 0n;
  network.run(60);
  const reasons = network.health.symptoms(network.moment.watched).map(({ subject, because }) => [subject, because]);
  const { address } = network.plan.network.chains[0]?.accounts.find((each) => each.role === role) ?? {};
  expect(reasons).toContainEqual([`main/${role}`, `its account ${address} has 0 wei left on L1`]);
});

it.each<[name: string, stall: Parameters<Simulated['health']['stalled']>[0]]>([
  ['none', undefined],
  ['the same', { since: 0, until: null }],
])('a stall that is told each second, %s, does not restart the limits', (_, stall) => {
  const network = new Simulated();
  network.run(60);
  network.stalled.add('verifier derivation');
  for (let second = 0; second < 30; second++) {
    network.health.stalled(stall);
    network.run(1);
  }
  expect(network.problems().map(({ what }) => what)).toContainEqual(expect.stringContaining('derivation has stopped'));
});

describe('a head that follows the clock', () => {
  it('stands or falls behind, not both', () => {
    const network = new Simulated(FAST);
    network.run(60);
    network.stalled.add('l1');
    network.run(30);
    expect(network.problems()[0]?.what).toMatch(/^produces no block after \d+$/);
  });

  it('falls behind while another one stands', () => {
    const network = new Simulated(FAST);
    network.run(60);
    network.slow = 3;
    network.stalled.add('verifier derivation');
    network.run(40);
    const what = network.problems().map((problem) => problem.what);
    expect(what).toContainEqual(expect.stringContaining('derivation has stopped'));
    expect(what).toContainEqual(expect.stringContaining("falls behind the network's clock"));
  });

  it('is ahead of it while it stands', () => {
    const network = new Simulated();
    network.run(60);
    network.l1.ahead = 600;
    network.stalled.add('l1');
    network.run(30);
    expect(network.problems()[0]?.what).toContain("ahead of the network's clock; produces no block after");
  });
});

it('a late head of a verifier is behind the highest one of a set of sequencers', () => {
  const network = new Simulated(
    'l1: { blockTime: 1 }\nchains: { main: { blockTime: 1, conductor: true, ' +
      'nodes: { s: { role: sequencer, count: 3 }, v: {} } } }',
  );
  network.run(30);
  for (const name of ['s-2', 'v']) network.crawls.set(`${name} unsafe`, 3);
  network.run(60);
  const late = network.problems().find(({ subject }) => subject === 'main/v/cl');
  expect(late?.what).toMatch(/^unsafe head is \d+ blocks \([^)]+\) behind main\/s-1\/cl$/);
});

it('a late safe head is behind the highest one of all other nodes', () => {
  const network = new Simulated(
    'l1: { blockTime: 1 }\nchains: { main: { blockTime: 1, nodes: { s: { role: sequencer }, a: {}, b: {} } } }',
  );
  network.run(30);
  for (const name of ['s', 'b']) network.crawls.set(`${name} safe`, 3);
  network.run(60);
  const late = network.problems().find(({ subject }) => subject === 'main/b/cl');
  expect(late?.what).toMatch(/^safe head is \d+ blocks \([^)]+\) behind main\/a\/cl$/);
});

it('a late head is explained by a full disk', () => {
  const network = new Simulated(FAST);
  network.run(30);
  network.crawls.set('verifier unsafe', 3);
  network.run(60);
  network.health.disk(0, '/state', network.moment);
  expect(network.problems()[1]).toMatchObject({
    subject: 'main/verifier/cl',
    because: 'disk: is full: 0 kB are left for /state',
  });
});

it('a full disk and a stall on request have no cause', () => {
  const { health, moment } = new Simulated();
  health.disk(0, '/state', moment);
  health.stalled({ since: 5, until: null });
  expect(health.symptoms(0).map(({ id, causes }) => [id, causes])).toEqual([
    ['l1 head', []],
    ['disk', []],
  ]);
});

it('a network whose L1 runs elsewhere is watched without it', () => {
  const { plan } = new Simulated(FAST);
  const facts = healthFacts({ ...plan, tasks: plan.tasks.filter(({ id }) => id !== 'l1') });
  const health = new Health(facts);
  const at = { watched: 0, wall: 7 };
  for (const { task } of facts.sources) health.up(task, at);
  const values = Object.fromEntries(
    ['unsafe', 'derivation'].map((head) => [`main/verifier/cl ${head}`, { number: 1 }]),
  );
  health.answered('main/verifier/cl', { values }, at, at.wall);
  expect(health.symptoms(0)).toEqual([]);
});

describe('a head that had something to move to', () => {
  it('finalized, waits for another L1 block when the clock was moved', () => {
    const network = new Simulated();
    network.run(60);
    network.stalled.add('verifier finality');
    const stands = () => network.problems().some(({ what }) => what.startsWith('finalized head has stopped'));
    network.run(60);
    expect(stands()).toBe(true);
    const { finalL1 } = network.nodes['verifier'] ?? {};
    Object.defineProperty(network.nodes['verifier'], 'finalL1', { get: () => finalL1, set: () => {} });
    network.health.clockMoved();
    network.run(60);
    expect(stands()).toBe(false);
  });

  it('posts, waits for another safe block when the clock was moved', () => {
    const network = new Simulated('chains: { main: { proposer: { interval: 12 } } }');
    network.run(60);
    network.stalled.add('main/proposer');
    const stands = () => network.problems().some(({ what }) => what.startsWith('sends no transaction'));
    network.run(60);
    expect(stands()).toBe(true);
    network.stalled.add('sequencer safe');
    network.health.clockMoved();
    network.run(120);
    expect(stands()).toBe(false);
  });
});
