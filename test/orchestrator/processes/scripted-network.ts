import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Plan, Probe } from '../../../src/orchestrator/plan/plan.ts';
import type { LiveTask } from '../../../src/orchestrator/processes/live-task.ts';
import { Network } from '../../../src/orchestrator/processes/network.ts';
import { StateRecord } from '../../../src/orchestrator/record/state-record.ts';
import type { Running, Runtime } from '../../../src/orchestrator/runtimes/interface/runtime.ts';
import type { Event } from '../../../src/orchestrator/state/events.ts';
import { pathsOf } from '../../../src/orchestrator/state/paths.ts';
import type { TaskPhase } from '../../../src/orchestrator/state/state.ts';
import { nodeActions } from '../../../src/orchestrator/supervisor/actions/node-action.ts';
import type { Exit } from '../../../src/system/process/process.ts';
import { createMutex } from '../../../src/system/time/mutex.ts';
import { fixturePlan, type TaskOptions, temporaryHome } from '../supervisor/fixture-plan.ts';

const UP: Probe = { kind: 'log', pattern: 'up', description: 'writes up' };

/** A task that is starting until `up` is called. */
export const SLOW: TaskOptions = { ready: [UP] };

/** A network whose commands are scripted: no process runs, and each ends when a test says so. */
export class ScriptedNetwork {
  readonly #folder = temporaryHome();
  readonly plan: Plan;
  readonly network: Network;
  readonly record: StateRecord;
  readonly act: ReturnType<typeof nodeActions>;
  readonly over = new AbortController();
  readonly events: Event[] = [];
  /** Transitions in their order, as `from → to`. */
  readonly transitions: string[] = [];
  /** Whether neither files nor commands can be had for a start. */
  refuses = false;
  /** Whether each end of a command fails. */
  resists = false;
  /** What each query of a version waits for. */
  version: Promise<undefined> = Promise.resolve(undefined);
  readonly #exits = new Map<string, (exit: Exit) => void>();
  readonly #phases = new Map<string, TaskPhase>();

  constructor(tasks: Readonly<Record<string, TaskOptions>>) {
    const { home } = this.#folder;
    const paths = pathsOf(home, 'scripted');
    this.plan = fixturePlan(home, 'scripted', [], tasks);
    for (const { log, command } of this.plan.tasks)
      for (const folder of [dirname(log), command.cwd]) mkdirSync(folder, { recursive: true });
    const supervisor = { pid: process.pid, started: '', boot: '' };
    this.record = new StateRecord(
      paths,
      supervisor,
      { state: () => ({ at: 0, wall: 0, rate: 1 }), skews: () => new Map() },
      (event) => this.#follow(event),
    );
    this.network = new Network(
      this.plan,
      {
        runtime: this.#runtime(),
        emit: this.record.emit,
        files: async () => this.#mustNotRefuse(),
        secretFiles: new Map(),
        learn: () => undefined,
        set: (live, phase, detail) => this.record.set(live, phase, detail),
      },
      () => undefined,
    );
    this.record.follow(this.network.tasks);
    this.record.usable();
    this.act = nodeActions({
      ...{ paths, network: this.network, record: this.record, runExclusive: createMutex(), plan: () => this.plan },
      ...{ kill: new AbortController().signal, ending: this.over.signal },
      render: { content: () => Promise.reject(new Error('no file is rendered')) },
      onPlan: () => Promise.resolve(),
    });
  }

  task(id: string): LiveTask {
    const live = this.network.tasks.get(id);
    if (live === undefined) throw new Error(`no task ${id}`);
    return live;
  }

  async start(): Promise<void> {
    await this.network.start(true, this.over.signal);
  }

  /** Starts the late tasks. Resolves when they are ready or failed. */
  async startLate(signal = this.over.signal): Promise<void> {
    await this.network.startLate(true, signal);
  }

  /** Lets a slow task become ready. */
  up(id: string): void {
    appendFileSync(this.task(id).task.log, 'up\n');
  }

  /** Ends the process of a task by itself. */
  exit(id: string): void {
    this.#exits.get(id)?.({ code: 1, signal: null });
  }

  #mustNotRefuse(): void {
    if (this.refuses) throw new Error('refused');
  }

  #follow(event: Event): void {
    this.events.push(event);
    if (event.event !== 'task') return;
    this.transitions.push(`${this.#phases.get(event.task) ?? 'waiting'} → ${event.phase}`);
    this.#phases.set(event.task, event.phase);
  }

  /** A command `true` ends at once, `false` with an error. Any other one runs until it is ended. */
  #runtime(): Runtime {
    return {
      start: async ({ id }, { argv: [word] }) => {
        this.#mustNotRefuse();
        const { promise: exited, resolve } = Promise.withResolvers<Exit>();
        if (word === 'true' || word === 'false') resolve({ code: word === 'true' ? 0 : 1, signal: null });
        this.#exits.set(id, resolve);
        const running: Running = {
          exited,
          processes: () => [],
          pause: async () => true,
          resume: async () => undefined,
          owns: () => true,
          end: async () => {
            if (this.resists) throw new Error('it resists');
            resolve({ code: null, signal: 'SIGTERM' });
            return 'stopped';
          },
        };
        return running;
      },
      version: () => this.version,
      close: async () => undefined,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.resists = false;
    this.over.abort();
    await this.network.endAll(false, AbortSignal.abort());
    this.record.close();
    this.#folder[Symbol.dispose]();
  }
}
