import type { AnsweredRequest, Handlers } from '../../../src/orchestrator/control/requests.ts';
import { serveControl } from '../../../src/orchestrator/control/server.ts';
import { takeLock } from '../../../src/orchestrator/folder/lock.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { runOf } from '../../../src/orchestrator/scenario/run.ts';
import type { Run } from '../../../src/orchestrator/scenario/step.ts';
import type { ScenarioTime } from '../../../src/orchestrator/scenario/time.ts';
import { NO_FAULTS } from '../../../src/orchestrator/state/faults.ts';
import { pathsOf } from '../../../src/orchestrator/state/paths.ts';
import { STATE_SCHEMA, type State, writeState } from '../../../src/orchestrator/state/state.ts';
import { privateFolder, replaceFile } from '../../../src/system/files/folder.ts';
import { identify } from '../../../src/system/process/identity.ts';
import { fixturePlan, temporaryHome } from '../supervisor/fixture-plan.ts';

/** A request as the supervisor gets it, without its number. */
export type Asked = AnsweredRequest extends infer Each
  ? Each extends AnsweredRequest
    ? Omit<Each, 'id'>
    : never
  : never;

/** Answers of the supervisor by method. Absent: what a healthy one says. */
export type Answers = { readonly [M in keyof Handlers]?: (request: Asked, count: number) => unknown };

/** Time of the network's clock, Unix ms, before it moves. */
export const CLOCK_AT = 1_700_000_010_000;

/** A devnet whose supervisor is this process: the control socket is real, and its answers are those of the test. */
export interface ServedDevnet extends AsyncDisposable {
  readonly home: string;
  /** All requests, in order. */
  readonly asked: Asked[];
  readonly stated: State;
  /** Answers by method; a test may replace them. */
  answers: Answers;
  /** Writes the state that the devnet's files hold, and that the supervisor tells. */
  become(more: Partial<State>): void;
  /** Closes the control socket, as the end of the supervisor does. */
  end(): Promise<void>;
  /** The context of a step. */
  run(more?: Partial<Run>): Run;
}

/** Serves a devnet of this plan. */
export async function servedDevnet(
  make: (home: string) => Plan | Promise<Plan> = (home) => fixturePlan(home, 'one', [{ port: 1 }]),
): Promise<ServedDevnet> {
  const folder = temporaryHome('devnet-served-');
  const plan = await make(folder.home);
  const paths = pathsOf(folder.home, plan.devnet);
  privateFolder(paths.folder);
  replaceFile(paths.plan, JSON.stringify(plan));
  takeLock(paths.lock, 'supervisor');
  let state: State = {
    ...{ schema: STATE_SCHEMA, name: plan.devnet, phase: 'ready', supervisor: identify(process.pid)! },
    ...{ startedAt: 1, stamps: {}, orphans: [], problems: [] },
    tasks: Object.fromEntries(plan.tasks.map(({ id }) => [id, { phase: 'ready', restarts: 0 }])),
    clock: { at: CLOCK_AT, wall: Date.now(), rate: 0 },
  };
  writeState(paths.state, state);
  const asked: Asked[] = [];
  const served = {
    home: folder.home,
    asked,
    answers: {} as Answers,
    get stated() {
      return state;
    },
    become(more: Partial<State>) {
      state = { ...state, ...more };
      writeState(paths.state, state);
    },
  };
  let at = CLOCK_AT;
  const healthy: { readonly [M in keyof Handlers]: (request: Asked) => unknown } = {
    state: () => ({ state }),
    node: (request) => ({ tasks: 'tasks' in request ? request.tasks : [] }),
    nodes: () => ({ tasks: [], head: { number: 9, hash: '0xaa' } }),
    sequencer: () => ({ tasks: [], head: { number: 9, hash: '0xaa' }, forwarded: 2 }),
    clock(request) {
      const from = at;
      if (!('action' in request) || request.action !== 'step') return { at, rate: 0, isPaused: false };
      at += 1000;
      return { from, at, to: at, complete: true, ms: 1, blocks: {} };
    },
    warp(request) {
      const from = at;
      at = 'to' in request && typeof request.to === 'number' ? request.to : at;
      return { from, at, to: at, complete: true, ms: 1, blocks: {} };
    },
    skew: (request) => ({ tasks: 'tasks' in request ? request.tasks : [] }),
    jump: () => ({ at, rate: 0, isPaused: false }),
    snapshot: () => ({ at }),
    l1: () => ({ stalled: null }),
    reorg: () => ({ common: block(1), from: block(3), to: block(2), sent: 0, refused: 0 }),
    faults: () => ({ faults: NO_FAULTS, ids: ['1'] }),
    stop: () => ({ killed: [], errors: [] }),
    down: () => ({ killed: [], errors: [] }),
  };
  const handlers = Object.fromEntries(
    Object.entries(healthy).map(([method, answer]) => [
      method,
      async ({ id: _, ...request }: AnsweredRequest) => {
        asked.push(request as Asked);
        const own = served.answers[method as keyof Handlers];
        return own === undefined ? answer(request as Asked) : own(request as Asked, asked.length);
      },
    ]),
  ) as unknown as Handlers;
  const control = await serveControl(paths.control, handlers, { present: () => [], marks: () => () => undefined });
  let isOpen = true;
  const end = async () => {
    if (isOpen) await control.close();
    isOpen = false;
  };
  const signal = new AbortController().signal;
  return Object.assign(served, {
    end,
    run(more: Partial<Run> = {}): Run {
      const io = {
        stdout: () => undefined,
        stderr: () => undefined,
        env: { DEVNET_HOME: folder.home },
        cwd: folder.home,
      };
      const context = { name: plan.devnet, seed: 7, folder: folder.home, signal, time: standingTime() };
      const perform = () => Promise.reject(new Error('the step runs no other'));
      return { ...runOf({ ...io, isTty: false }, context, perform), inner: [], ...more };
    },
    async [Symbol.asyncDispose]() {
      await end();
      folder[Symbol.dispose]();
    },
  });
}

const block = (number: number) => ({ number, hash: `0x0${number}` });

/** Time of a network that follows the machine: nothing passes by itself. `settled` counts the waits for processes. */
export function standingTime(more: Partial<ScenarioTime> = {}): ScenarioTime & { readonly passed: number[] } {
  const passed: number[] = [];
  return {
    passed,
    kind: 'wall',
    now: () => passed.reduce((sum, ms) => sum + ms, 0),
    async pass(ms) {
      passed.push(ms);
    },
    running: (work) => work(),
    standing: (work) => work(),
    settle: async () => undefined,
    together: (works) => Promise.all(works.map((work) => work())),
    warp: async () => ({}),
    ...more,
  };
}
