import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Order } from '../../../src/orchestrator/control/supervisor-protocol.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import type { Event } from '../../../src/orchestrator/state/events.ts';
import { pathsOf } from '../../../src/orchestrator/state/paths.ts';
import { readMessages } from '../../../src/system/net/socket.ts';
import { type PipedProcess, startPiped } from '../../../src/system/process/piped.ts';
import { packageRoot } from '../../../src/system/program/entry.ts';

/** A supervisor as the command line starts it, with its events. */
export class Supervised {
  readonly process: PipedProcess;
  readonly events: Event[] = [];
  readonly home: string;

  constructor(home: string) {
    this.home = home;
    this.process = startPiped([process.execPath, join(packageRoot(), 'dist', 'supervisor.js')], {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      ...(process.env['DEVNET_TEST_HIDE'] === undefined ? {} : { DEVNET_TEST_HIDE: process.env['DEVNET_TEST_HIDE'] }),
      DEVNET_HOME: home,
    });
    readMessages(
      this.process.output,
      (event) => this.events.push(event as Event),
      () => undefined,
    );
  }

  order(order: Order): void {
    this.process.send(order);
  }

  up(plan: Plan, budgetMs = 20_000): this {
    this.order({ kind: 'up', home: this.home, plan, options: { budgetMs }, after: [] });
    this.order({ kind: 'text', path: pathsOf(this.home, plan.devnet).spec, text: '{}' });
    return this;
  }

  /** Resolves when it reports a phase, or ends. */
  async phase(phase: string): Promise<void> {
    const isReported = () => this.events.some((event) => event.event === 'phase' && event.phase === phase);
    await this.until(() => isReported() || this.events.some(({ event }) => event === 'end'));
    if (!isReported())
      throw new Error(`ended without being ${phase}: ${JSON.stringify(this.events.slice(-4), null, 1)}`);
  }

  /** Resolves when a condition on its events holds. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition())
      await Promise.race([
        new Promise((done) => this.process.output.once('data', done)),
        this.process.exited.then(() => {
          if (!condition())
            throw new Error(`the supervisor is gone: ${JSON.stringify(this.events.slice(-4), null, 1)}`);
        }),
      ]);
  }

  /** Resolves with the last event, when the supervisor is gone. */
  async end(): Promise<Extract<Event, { event: 'end' }>> {
    await this.process.exited;
    const end = this.events.find((event) => event.event === 'end');
    if (end === undefined) throw new Error(`no end was told: ${JSON.stringify(this.events.slice(-4), null, 1)}`);
    return end;
  }

  failure() {
    return this.events.find((event) => event.event === 'failure')?.failure;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.process.send({ kind: 'interrupt' } satisfies Order);
    this.process.send({ kind: 'kill' } satisfies Order);
    this.process.endInput();
    await this.process.exited;
  }
}

/** Returns the command lines of running processes with this home's stamp or one of the given numbers. */
export function leftovers(home: string, ...pids: readonly number[]): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(
      (pid) => pids.includes(Number(pid)) || read(`/proc/${pid}/environ`).split('\0').includes(`DEVNET_HOME=${home}`),
    )
    .filter((pid) => !/^\d+ \(.*\) [ZX]/.test(read(`/proc/${pid}/stat`) || '0 () Z'))
    .map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
