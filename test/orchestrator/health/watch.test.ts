import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Observer } from '../../../src/orchestrator/divergence/watch/observer.ts';
import type { Symptom } from '../../../src/orchestrator/health/gauge/symptom.ts';
import type { AskedStall } from '../../../src/orchestrator/health/model.ts';
import { HealthWatch } from '../../../src/orchestrator/health/watch.ts';
import type { Plan, Probe } from '../../../src/orchestrator/plan/plan.ts';
import { LiveTask } from '../../../src/orchestrator/processes/live-task.ts';
import type { Running } from '../../../src/orchestrator/runtimes/interface/runtime.ts';
import type { Problem } from '../../../src/orchestrator/state/problem.ts';
import type { TaskPhase } from '../../../src/orchestrator/state/state.ts';
import { present } from '../../../src/protocol/present.ts';
import { fixturePlan, type TaskOptions } from '../supervisor/fixture-plan.ts';

const BATCHER = 'main/batcher';
const NOW = 1_700_000_000_000;
/** A probe without an answer. */
const SILENT_PROBE: Probe = { kind: 'log', pattern: 'started', description: 'writes started' };
const EXIT_PROBE: Probe = { kind: 'exit', code: 0, description: 'ends with 0' };

/** Time (ms) for which this machine was suspended. */
let suspendedMs = 0;
let end = new AbortController();

beforeEach(() => {
  suspendedMs = 0;
  end = new AbortController();
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + suspendedMs);
});
afterEach(() => {
  end.abort();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A process that devnet started, or that has ended with a code. */
const runningAs = (pid: number, code?: number): Running =>
  ({
    process: { pid, started: '', boot: '' },
    processes: () => [],
    exited: code === undefined ? new Promise(() => {}) : Promise.resolve({ code, signal: null }),
  }) as unknown as Running;

/** The health watch of one task, with what it reports and asks of the observer. */
class Watched {
  readonly reports: (readonly Problem[])[] = [];
  readonly calls: string[] = [];
  /** Times (ms) of the rounds. */
  readonly rounds: number[] = [];
  readonly live: LiveTask;
  readonly plan: Plan;
  readonly watch: HealthWatch;
  readonly skews = new Map<string, number>();
  readonly observer = { isUrgent: false, found: [] as Symptom[] };
  stall: AskedStall | undefined;
  fault: string | undefined;
  clock = { at: NOW, wall: NOW, rate: 1 };
  isHeld = false;
  readonly answers: Parameters<Observer['answered']>[] = [];

  constructor(options: TaskOptions = {}, ...phases: readonly TaskPhase[]) {
    this.plan = this.planned(options);
    const [task] = this.plan.tasks;
    this.live = new LiveTask(present(task, 'task'));
    for (const phase of phases) this.live.enter(phase);
    const { calls, rounds, observer } = this;
    const start = performance.now();
    this.watch = new HealthWatch({
      plan: this.plan,
      tasks: new Map([[this.live.task.id, this.live]]),
      folder: '/absent',
      clock: { state: () => this.clock, isHeld: () => this.isHeld, skews: () => this.skews },
      stall: () => this.stall,
      report: (problems) => void this.reports.push(problems),
      faultOf: () => this.fault,
      observer: {
        round: () => void rounds.push(performance.now() - start),
        forget: (id: string) => void calls.push(`forget ${id}`),
        renew: () => void calls.push('renew'),
        heightsFor: () => [3],
        answered: (...answer: Parameters<Observer['answered']>) => void this.answers.push(answer),
        symptoms: () => observer.found,
        get isUrgent() {
          return observer.isUrgent;
        },
      } as unknown as Observer,
      signal: end.signal,
    });
  }

  protected planned(options: TaskOptions): Plan {
    return fixturePlan('/absent', 'one', [], { [BATCHER]: options });
  }

  get problems(): readonly Problem[] {
    return this.reports.at(-1) ?? [];
  }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('a task that is not up', () => {
  it.each<[phases: readonly TaskPhase[], options: TaskOptions, what: string | undefined, because: string | null]>([
    [[], {}, 'is starting', null],
    [[], { launch: 'external' }, 'does not answer yet', null],
    [['starting'], {}, 'is starting', null],
    [['starting'], { late: true }, undefined, null],
    [['manual'], {}, 'has to be started by hand', null],
    [['ready', 'paused'], {}, 'is paused', `\`devnet node resume ${BATCHER}\` lets it go on`],
    [['stopped'], {}, 'is stopped', 'on request'],
    [['starting', 'stopping'], {}, 'is stopping', null],
    [['failed'], {}, 'failed', null],
    [['restarting'], {}, 'restarting', null],
    [['blocked'], {}, 'blocked', null],
    [['ready'], {}, undefined, null],
    [['ready', 'unhealthy'], {}, undefined, null],
  ])('is a problem after the phases %j with %j: %s', async (phases, options, what, because) => {
    const watched = new Watched(options, ...phases);
    await pass(0);
    expect(watched.problems).toEqual(what === undefined ? [] : [{ subject: BATCHER, what, because, since: NOW }]);
  });

  it.each(['failed', 'restarting', 'blocked'] as const)('says in the phase %s why', async (phase) => {
    const watched = new Watched();
    watched.live.enter(phase, 'ended with 1');
    await pass(0);
    expect(watched.problems).toMatchObject([{ what: 'ended with 1' }]);
  });

  it('is told once until its problem changes or is over', async () => {
    const watched = new Watched();
    await pass(5000);
    expect(watched.reports).toHaveLength(1);
    watched.live.enter('starting');
    watched.live.enter('ready');
    await pass(1000);
    expect(watched.reports).toEqual([expect.anything(), []]);
  });
});

describe('the rounds of the watch', () => {
  it('begin at once and come each second', async () => {
    const watched = new Watched({}, 'ready');
    await pass(3000);
    expect(watched.rounds).toEqual([0, 1000, 2000, 3000]);
    end.abort();
    await pass(3000);
    watched.watch.lookNow();
    watched.watch.returning(true);
    await pass(3000);
    expect(watched.rounds).toHaveLength(4);
    expect(watched.calls).toEqual([]);
  });

  it('come more often while a problem stands, or the heads differ', async () => {
    const down = new Watched({}, 'stopped');
    await pass(1000);
    expect(down.rounds).toEqual([0, 400, 800]);
    end.abort();
    end = new AbortController();
    const differs = new Watched({}, 'ready');
    differs.observer.isUrgent = true;
    await pass(1000);
    expect(differs.rounds).toEqual([0, 400, 800]);
  });

  it('begin at once on request, and go on from there', async () => {
    const watched = new Watched({}, 'ready');
    await pass(1300);
    watched.watch.lookNow();
    await pass(2000);
    expect(watched.rounds).toEqual([0, 1000, 1300, 2300, 3300]);
  });

  it('begin at once at a return to an earlier moment, three of them soon, and forget what was up', async () => {
    const watched = new Watched({}, 'ready');
    await pass(1500);
    watched.watch.returning(false);
    expect(watched.calls).toEqual([`forget ${BATCHER}`]);
    await pass(2500);
    expect(watched.rounds).toEqual([0, 1000, 1500, 1600, 1700, 1800, 2800, 3800]);
  });
});

describe('a task without an answer', () => {
  it('does not answer after 4 s, with the reason', async () => {
    const watched = new Watched({ live: [SILENT_PROBE] }, 'ready');
    await pass(4199);
    expect(watched.reports).toEqual([]);
    await pass(1);
    const log = present(watched.plan.tasks[0], 'task').log;
    expect(watched.problems).toEqual([
      { subject: BATCHER, what: 'does not answer', since: NOW, because: `no line like /started/ in ${log}` },
    ]);
  });

  it('answers when all its probes do', async () => {
    const watched = new Watched({ live: [] }, 'ready');
    await pass(20_000);
    expect(watched.reports).toEqual([]);
  });

  it('is not reported for the time in which the machine was suspended', async () => {
    const watched = new Watched({ live: [SILENT_PROBE] }, 'ready');
    await pass(500);
    suspendedMs = 3_600_000;
    // The second round counts as 1.3 s.
    await pass(500 + 1000 + 400 + 400);
    expect(watched.reports).toEqual([]);
    await pass(1200);
    expect(watched.problems).toMatchObject([{ what: 'does not answer' }]);
  });

  it('is not asked during a return', async () => {
    const watched = new Watched({ live: [] }, 'ready');
    watched.watch.returning(true);
    await pass(6000);
    expect(watched.problems).toMatchObject([{ what: 'does not answer', because: null }]);
    watched.watch.returning(false);
    await pass(100);
    expect(watched.problems).toEqual([]);
  });

  it('has another time to answer when it has another process', async () => {
    const watched = new Watched({ live: [SILENT_PROBE] }, 'ready');
    watched.live.run(runningAs(1));
    await pass(3000);
    watched.live.run(runningAs(2));
    await pass(4000);
    expect(watched.calls).toEqual([`forget ${BATCHER}`]);
    expect(watched.reports).toEqual([]);
    await pass(1000);
    expect(watched.problems).toMatchObject([{ what: 'does not answer' }]);
  });
});

it('a task whose probe finds another answer twice is a problem with the description of the probe', async () => {
  const watched = new Watched({ live: [EXIT_PROBE] });
  watched.live.run(runningAs(1, 3));
  watched.live.enter('ready');
  await pass(1900);
  expect(watched.reports).toEqual([]);
  await pass(100);
  expect(watched.problems).toMatchObject([{ what: 'ends with 0: it ended with 3, expected 0' }]);
});

describe('the reason of a problem', () => {
  it('is a skewed clock, else a fault of its links', async () => {
    const watched = new Watched({}, 'starting');
    watched.fault = 'a delay';
    watched.skews.set(BATCHER, 2000);
    await pass(0);
    expect(watched.problems).toMatchObject([{ because: 'its clock is 2 s ahead, by `devnet clock skew`' }]);
    watched.skews.clear();
    await pass(400);
    expect(watched.problems).toMatchObject([{ because: 'a delay' }]);
  });

  it('is told of the symptoms of the observer and of a stall of L1 too', async () => {
    const watched = new Watched({}, 'ready');
    watched.observer.found.push({ id: 'a', subject: 'main/v/el', what: 'differs', since: 7, causes: [] });
    watched.stall = { since: 5, until: null };
    await pass(0);
    expect(watched.problems).toEqual([
      { subject: 'l1', what: 'is stalled', since: 5, because: 'on request: `devnet l1 resume` ends it' },
      { subject: 'main/v/el', what: 'differs', since: 7, because: null },
    ]);
  });
});

it('another plan is watched from now on, and all limits begin anew', async () => {
  const watched = new Watched({ live: [SILENT_PROBE] }, 'ready');
  await pass(3500);
  watched.watch.renew(watched.plan);
  expect(watched.calls).toEqual(['renew']);
  await pass(3500);
  expect(watched.reports).toEqual([]);
  watched.watch.renew({ ...watched.plan, tasks: [] });
  await pass(10_000);
  expect(watched.reports).toEqual([]);
});

describe('an execution client', () => {
  const EL = 'main/node-0/el';
  /** Blocks that were asked for, and the newest one. */
  const asked: unknown[] = [];
  let newest = 5;
  let gate = Promise.resolve();
  const server = createServer((request, response) => {
    request.on('data', async (text) => {
      const calls = JSON.parse(String(text)) as { id: number; params: readonly unknown[] }[];
      asked.push(...calls.map(({ params }) => params[0]));
      await gate;
      const answer = ({ id, params }: (typeof calls)[number]) => {
        const number = params[0] === 'latest' ? `0x${newest.toString(16)}` : params[0];
        return { jsonrpc: '2.0', id, result: { number, hash: `0x0${String(number).slice(2)}` } };
      };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(calls.map(answer)));
    });
  });
  let port = 0;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => void server.close());
  beforeEach(() => {
    asked.length = 0;
    [newest, gate, suspendedMs] = [5, Promise.resolve(), 10_000];
  });

  /** Waits for real input and output, which the fake clock does not move. */
  async function until(holds: () => boolean): Promise<void> {
    const start = process.hrtime.bigint();
    while (!holds()) {
      if (process.hrtime.bigint() - start > 3_000_000_000n) throw new Error(`does not hold: ${holds}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** The health watch of an execution client. A round is a second, in which it answers. */
  class Node extends Watched {
    constructor(options: Partial<Plan['tasks'][number]> = {}, clock: Plan['time']['clock'] = 'wall') {
      super({ ...options, kind: 'el' });
      Object.assign(this.plan.time, { clock });
    }
    protected override planned({ argv: _, env: __, ready: ___, ...options }: TaskOptions): Plan {
      const plan = fixturePlan('/absent', 'one', [{ port }]);
      return { ...plan, time: { ...plan.time }, tasks: plan.tasks.map((task) => ({ ...task, ...options })) };
    }
    async round(): Promise<void> {
      suspendedMs += 1000;
      const { length } = this.answers;
      this.watch.lookNow();
      await until(() => this.answers.length > length);
    }
    async pass(count: number, isMoving = false): Promise<void> {
      for (let round = 0; round < count; round++) {
        if (isMoving) newest += 1;
        await this.round();
      }
    }
  }

  async function ready(...options: ConstructorParameters<typeof Node>): Promise<Node> {
    const node = new Node(...options);
    node.live.enter('ready');
    await pass(0);
    await until(() => node.answers.length === 1);
    return node;
  }

  it('is asked for its head and the heights that the observer compares, which gets the answer', async () => {
    const node = await ready();
    expect(asked).toEqual(['latest', '0x3']);
    expect(node.answers).toEqual([
      [
        EL,
        {
          values: { [`${EL} head`]: { number: 5, hash: '0x05' } },
          chain: { head: { number: 5, hash: '0x05', time: 0 }, blocks: [{ number: 3, hash: '0x03' }] },
        },
        { watched: 0, wall: NOW },
      ],
    ]);
    await node.pass(2);
    expect(node.answers.at(-1)?.[2].watched).toBe(2000);
  });

  it('is a problem when its head stands for its limit', async () => {
    const node = await ready();
    await node.pass(8, true);
    // Rounds are due each 0.4 s once the head is late, so that one of a second counts as 0.7 s.
    await node.pass(5);
    expect(node.reports).toEqual([]);
    await node.pass(1);
    expect(node.problems).toMatchObject([{ subject: EL, what: 'its head has stopped at block 13', since: NOW }]);
  });

  it.each<[clock: Plan['time']['clock'], moves: string, changes: readonly ('at' | 'rate' | 'held')[], isLate: boolean]>(
    [
      ['wall', 'is moved', ['at'], false],
      ['wall', 'stands', ['held'], false],
      ['wall', 'goes on', [], true],
      ['instant', 'is moved', ['at'], true],
      ['instant', 'has another rate', ['rate'], false],
    ],
  )('on a clock of the kind %s that %s has new limits by %j: late %s', async (clock, _, changes, isLate) => {
    const node = await ready({}, clock);
    await node.pass(8, true);
    node.isHeld = changes.includes('held');
    for (let round = 1; round <= 8; round++) {
      if (changes.includes('at')) node.clock = { ...node.clock, at: NOW + round };
      if (changes.includes('rate')) node.clock = { ...node.clock, rate: 1 + round };
      await node.pass(1);
    }
    expect(node.reports).toHaveLength(Number(isLate));
  });

  it('has its probes run every 5 s', async () => {
    const node = new Node({ live: [EXIT_PROBE] });
    node.live.run(runningAs(1, 3));
    node.live.enter('ready');
    await pass(0);
    await until(() => node.answers.length === 1);
    await node.pass(5, true);
    expect(node.reports).toEqual([]);
    await node.pass(1, true);
    expect(node.problems).toMatchObject([{ what: 'ends with 0: it ended with 3, expected 0' }]);
  });

  it.each<[name: string, change: (node: Node) => void]>([
    ['a return to an earlier moment', ({ watch }) => watch.returning(false)],
    ['a change of the plan', ({ watch, plan }) => watch.renew(plan)],
  ])('has an answer from before %s not counted', async (_, change) => {
    const node = await ready();
    const closed = Promise.withResolvers<void>();
    gate = closed.promise;
    node.watch.lookNow();
    await until(() => asked.length === 4);
    newest = 99;
    change(node);
    node.watch.lookNow();
    expect(node.answers).toHaveLength(1);
    gate = Promise.resolve();
    newest = 6;
    closed.resolve();
    // The task is asked again once the old answer is there.
    await until(() => {
      node.watch.lookNow();
      return asked.length > 4;
    });
    await until(() => node.answers.length > 1);
    expect(asked).toHaveLength(6);
    expect(node.answers).toHaveLength(2);
  });

  it('that does not listen does not answer, for that reason', async () => {
    port = 1;
    const node = new Node();
    port = (server.address() as AddressInfo).port;
    node.live.enter('ready');
    await pass(0);
    await until(() => {
      suspendedMs += 1000;
      node.watch.lookNow();
      return typeof node.problems[0]?.because === 'string';
    });
    expect(node.problems).toMatchObject([{ subject: EL, what: 'does not answer' }]);
    expect(node.problems[0]?.because).toContain('127.0.0.1:1');
  });
});
