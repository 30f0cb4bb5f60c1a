import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Observer } from '../../../src/orchestrator/divergence/watch/observer.ts';
import type { Moment } from '../../../src/orchestrator/health/gauge/gauge.ts';
import type { Symptom } from '../../../src/orchestrator/health/gauge/symptom.ts';
import type { AskedStall } from '../../../src/orchestrator/health/model.ts';
import { HealthWatch } from '../../../src/orchestrator/health/watch.ts';
import type { Plan, Probe } from '../../../src/orchestrator/plan/plan.ts';
import { LiveTask } from '../../../src/orchestrator/processes/live-task.ts';
import type { Running } from '../../../src/orchestrator/runtimes/interface/runtime.ts';
import type { Problem } from '../../../src/orchestrator/state/problem.ts';
import type { TaskPhase } from '../../../src/orchestrator/state/state.ts';
import { present } from '../../../src/protocol/present.ts';
import { hasProc } from '../../../src/system/program/platform.ts';
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

/** A process that devnet started, or that has ended with a code, and the processes whose use of processors counts. */
const runningAs = (pid: number, code?: number, processes: readonly number[] = []): Running =>
  ({
    process: { pid, started: '', boot: '' },
    processes: () => processes,
    exited: code === undefined ? new Promise(() => {}) : Promise.resolve({ code, signal: null }),
  }) as unknown as Running;

/** The health watch of one task, with what it reports and asks of the observer. */
class Watched {
  readonly reports: (readonly Problem[])[] = [];
  readonly calls: string[] = [];
  /** Times (ms) of the rounds, and those that count. */
  readonly rounds: number[] = [];
  readonly counted: number[] = [];
  /** Number of times that the observer was asked for the heights to read. */
  asks = 0;
  readonly live: LiveTask;
  readonly tasks: Map<string, LiveTask>;
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
    this.tasks = new Map([[this.live.task.id, this.live]]);
    for (const phase of phases) this.live.enter(phase);
    const { calls, rounds, counted, observer } = this;
    const start = performance.now();
    this.watch = new HealthWatch({
      plan: this.plan,
      tasks: this.tasks,
      folder: this.folder,
      clock: { state: () => this.clock, isHeld: () => this.isHeld, skews: () => this.skews },
      stall: () => this.stall,
      report: (problems) => void this.reports.push(problems),
      faultOf: () => this.fault,
      observer: {
        round: ({ watched }: Moment) => {
          rounds.push(performance.now() - start);
          counted.push(watched);
        },
        forget: (id: string) => void calls.push(`forget ${id}`),
        renew: () => void calls.push('renew'),
        heightsFor: () => {
          this.asks += 1;
          return [3];
        },
        answered: (...answer: Parameters<Observer['answered']>) => void this.answers.push(answer),
        symptoms: () => observer.found,
        get isUrgent() {
          return observer.isUrgent;
        },
      } as unknown as Observer,
      signal: end.signal,
    });
  }

  protected get folder(): string {
    return '/absent';
  }

  protected planned(options: TaskOptions): Plan {
    return fixturePlan('/absent', 'one', [], { [BATCHER]: options });
  }

  /** Begins a round some time (ms) after the last one. */
  roundAfter(ms: number): void {
    suspendedMs += ms;
    this.watch.lookNow();
  }

  get problems(): readonly Problem[] {
    return this.reports.at(-1) ?? [];
  }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Waits for real input and output, which the fake clock does not move. */
async function until(holds: () => boolean): Promise<void> {
  const start = process.hrtime.bigint();
  while (!holds()) {
    if (process.hrtime.bigint() - start > 3_000_000_000n) throw new Error(`does not hold: ${holds}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await new Promise((resolve) => setImmediate(resolve));
}

/** Has this process compute for some processor time (ms). Returns the time (ms) that passes. */
function compute(ms: number): number {
  const [start, before] = [process.hrtime.bigint(), process.cpuUsage()];
  const used = () => process.cpuUsage(before);
  while (used().user + used().system < ms * 1000);
  return Number(process.hrtime.bigint() - start) / 1e6;
}

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

describe('a task that is paused', () => {
  it('is forgotten, and has another time to answer when it goes on', async () => {
    const watched = new Watched({ live: [SILENT_PROBE] }, 'ready');
    await pass(3000);
    expect(watched.calls).toEqual([]);
    watched.live.enter('paused');
    await pass(1000);
    expect(watched.calls[0]).toBe(`forget ${BATCHER}`);
    watched.live.enter('ready');
    await pass(4000);
    expect(watched.problems).toEqual([]);
    await pass(1000);
    expect(watched.problems).toMatchObject([{ what: 'does not answer' }]);
  });
});

describe.skipIf(!hasProc())('a task without an answer, of this process,', () => {
  /** The watch of such a task, 10 ms before it counts as silent. */
  async function almostSilent(): Promise<Watched> {
    const pids: number[] = [];
    const watched = new Watched({ live: [SILENT_PROBE] }, 'ready');
    watched.live.run(runningAs(1, undefined, pids));
    await pass(0);
    for (const ms of [1300, 1300, 650, 650, 90]) watched.roundAfter(ms);
    expect(watched.counted.at(-1)).toBe(3990);
    pids.push(process.pid);
    watched.roundAfter(0);
    return watched;
  }

  it('is not silent for the time in which it computes', async () => {
    const watched = await almostSilent();
    watched.roundAfter(compute(40));
    expect(watched.reports).toEqual([]);
  });

  it('is silent without that reason when it computes a little', async () => {
    const watched = await almostSilent();
    await until(() => {
      compute(12);
      watched.roundAfter(1000);
      return watched.reports.length > 0;
    });
    expect(watched.problems[0]?.because).not.toBe('it keeps a processor busy');
  });

  it('is not silent for the time in which it has no processor', async () => {
    const watched = await almostSilent();
    let ms = 3990;
    await until(() => {
      // Its main thread waits for a processor at the end of each pause.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      ms += 0.125;
      watched.roundAfter(0.125);
      return present(watched.counted.at(-1), 'round') < ms;
    });
    expect(watched.counted.at(-1)).toBeGreaterThanOrEqual(3990);
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

it('a task that devnet has no process of is watched, too', async () => {
  const watched = new Watched({ live: [SILENT_PROBE] }, 'ready');
  const { process: _, ...running } = runningAs(1);
  watched.live.run(running);
  await pass(5000);
  expect(watched.problems).toMatchObject([{ what: 'does not answer' }]);
});

it.skipIf(!hasProc())('a disk without free space is a problem', async () => {
  class Full extends Watched {
    protected override get folder(): string {
      return '/proc';
    }
  }
  const watched = new Full({}, 'ready');
  await pass(0);
  expect(watched.problems).toMatchObject([{ subject: 'disk', what: 'is full: 0 kB are left for /proc' }]);
});

describe('the probes of a task', () => {
  const ENDS_WITH_3: Probe = { kind: 'exit', code: 3, description: 'ends with 3' };

  it('are a problem when one of them finds another answer, with its description', async () => {
    const watched = new Watched({ live: [ENDS_WITH_3, EXIT_PROBE] });
    watched.live.run(runningAs(1, 3));
    watched.live.enter('ready');
    await pass(2000);
    expect(watched.problems).toMatchObject([{ what: 'ends with 0: it ended with 3, expected 0' }]);
  });

  it('are none once all of them find what they expect', async () => {
    const watched = new Watched({ live: [EXIT_PROBE] });
    watched.live.run(runningAs(1, 3));
    watched.live.enter('ready');
    await pass(2000);
    expect(watched.problems).toHaveLength(1);
    watched.live.run(runningAs(1, 0));
    await pass(1000);
    expect(watched.problems).toEqual([]);
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
  await pass(1500);
  expect(watched.problems).toMatchObject([{ what: 'does not answer' }]);
  watched.watch.renew({ ...watched.plan, tasks: [] });
  await pass(10_000);
  expect(watched.problems).toEqual([]);
});

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

describe('a client', () => {
  const EL = 'main/node-0/el';
  /** Blocks that were asked for, and the newest one. */
  const asked: unknown[] = [];
  const methods: string[] = [];
  let newest = 5;
  /** The unsafe head of a rollup node, whose chain's time stands. */
  const head = () => ({ number: newest, hash: `0x0${newest}`, timestamp: NOW / 1000 });
  let gate = Promise.resolve();
  let probeGate = Promise.resolve();
  const server = createServer((request, response) => {
    request.on('data', async (text) => {
      const message = JSON.parse(String(text)) as Call | Call[];
      const calls = [message].flat();
      asked.push(...calls.map(({ params }) => params[0]));
      methods.push(...calls.map(({ method }) => method));
      await (methods.at(-1) === 'eth_chainId' ? probeGate : gate);
      const answer = ({ id, method, params }: Call) => {
        if (method === 'optimism_syncStatus') return { jsonrpc: '2.0', id, result: { unsafe_l2: head() } };
        if (method !== 'eth_getBlockByNumber') return { jsonrpc: '2.0', id, result: '0x7' };
        const number = params[0] === 'latest' ? `0x${newest.toString(16)}` : params[0];
        return { jsonrpc: '2.0', id, result: { number, hash: `0x0${String(number).slice(2)}` } };
      };
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify(Array.isArray(message) ? calls.map(answer) : answer(message)));
    });
  });
  let port = 0;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => void server.close());
  beforeEach(() => {
    asked.length = methods.length = 0;
    [newest, gate, probeGate, suspendedMs] = [5, Promise.resolve(), Promise.resolve(), 10_000];
  });

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
      const { length } = this.answers;
      this.roundAfter(1000);
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
    [
      'both',
      ({ watch, plan }) => {
        watch.returning(false);
        watch.renew(plan);
      },
    ],
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

  it('is not asked before it is up', async () => {
    const node = new Node();
    node.live.enter('starting');
    await pass(1000);
    expect(node.asks).toBe(0);
    node.live.enter('ready');
    await pass(1000);
    expect(node.asks).toBe(1);
    await until(() => node.answers.length === 1);
  });

  it('answers at the moment of its answer, also between two rounds', async () => {
    const node = await ready();
    const closed = Promise.withResolvers<void>();
    gate = closed.promise;
    node.roundAfter(1000);
    suspendedMs += 300;
    closed.resolve();
    await until(() => node.answers.length === 2);
    expect(node.answers.at(-1)?.[2].watched).toBe(1300);
  });

  it('is not told of once the watch has ended', async () => {
    const node = await ready();
    const closed = Promise.withResolvers<void>();
    gate = closed.promise;
    node.roundAfter(1000);
    await until(() => asked.length === 4);
    end.abort();
    closed.resolve();
    // An answer to another client comes after that.
    const response = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
    });
    await response.text();
    await pass(1000);
    expect(node.answers).toHaveLength(1);
  });

  it('is silent without a reason of its own when it was removed while it was asked', async () => {
    const node = await ready();
    const closed = Promise.withResolvers<void>();
    gate = closed.promise;
    node.roundAfter(6000);
    node.tasks.delete(EL);
    closed.resolve();
    await until(() => node.answers.length === 2);
    gate = new Promise(() => {});
    for (let round = 0; round < 12; round++) node.roundAfter(400);
    expect(node.problems).toMatchObject([{ what: 'does not answer', because: null }]);
  });

  describe('with a probe that asks it', () => {
    const probes = () => methods.filter((method) => method === 'eth_chainId').length;
    const asking = (): Probe => ({
      ...{ kind: 'rpc', url: `http://127.0.0.1:${port}`, method: 'eth_chainId', params: [], expect: {} },
      description: 'answers eth_chainId',
    });

    it('has it run at once after a change of the plan', async () => {
      const node = await ready({ live: [asking()] });
      await until(() => probes() === 1);
      await node.round();
      expect(probes()).toBe(1);
      node.watch.renew(node.plan);
      await node.round();
      await until(() => probes() === 2);
    });

    it('is silent from its answer to the probe on', async () => {
      const closed = Promise.withResolvers<void>();
      probeGate = closed.promise;
      const node = await ready({ live: [asking()] });
      await until(() => probes() === 1);
      for (let round = 0; round < 3; round++) node.roundAfter(1000);
      gate = new Promise(() => {});
      closed.resolve();
      await until(() => {
        node.roundAfter(0);
        return node.asks === 2;
      });
      for (let ms = 3000; ms < 6900; ms += 390) node.roundAfter(390);
      expect(node.reports).toEqual([]);
      node.roundAfter(100);
      expect(node.problems).toMatchObject([{ subject: EL, what: 'does not answer' }]);
    });
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

  it('a client of L1 is asked for the balance of an account whose transactions are late', async () => {
    class L1 extends Watched {
      protected override planned(): Plan {
        const plan = fixturePlan('/absent', 'one', [{ port: 1 }], { l1: { kind: 'l1' }, [BATCHER]: { paceMs: 1000 } });
        const l1 = { ...plan.network.l1, direct: { rpc: `http://127.0.0.1:${port}`, ws: '' } };
        const chains = plan.network.chains.map((chain) => ({
          ...chain,
          batcher: { task: BATCHER, client: 'fixture', implementation: 'fixture', rpc: '' },
          accounts: [{ role: 'batcher', address: '0x01' }],
        }));
        const tasks = plan.tasks.filter(({ kind }) => kind !== 'el');
        return { ...plan, tasks, network: { ...plan.network, l1, chains } } as unknown as Plan;
      }
    }
    const watched = new L1();
    watched.live.enter('ready');
    await pass(0);
    for (let answers = 1; answers <= 4; answers++) {
      await until(() => watched.answers.length === answers);
      expect(methods).not.toContain('eth_getBalance');
      newest += 1;
      watched.roundAfter(1000);
    }
    await until(() => methods.includes('eth_getBalance'));
  });

  it.skipIf(!hasProc())('that falls behind the clock is explained by a task that keeps a processor busy', async () => {
    const CL = 'main/node-0/cl';
    class Rollup extends Node {
      protected override planned(options: TaskOptions): Plan {
        const plan = super.planned(options);
        const chains = plan.network.chains.map((chain) => ({
          ...chain,
          nodes: chain.nodes.map((node) => ({ ...node, cl: { ...node.cl, task: CL } })),
        }));
        const tasks = plan.tasks.map((task) => ({ ...task, id: CL, clock: 'network' as const }));
        return { ...plan, tasks, network: { ...plan.network, chains } };
      }
    }
    const node = new Rollup();
    node.live.run(runningAs(1, undefined, [process.pid]));
    node.live.enter('ready');
    node.clock = { ...node.clock, at: NOW + 100_000 };
    await pass(0);
    await node.pass(25, true);
    expect(node.problems).toMatchObject([{ subject: CL, because: null }]);
    await until(() => {
      node.roundAfter(compute(5));
      return node.problems[0]?.because !== null;
    });
    expect(node.problems[0]?.because).toBe(`${CL} keeps a processor busy`);
  });
});
