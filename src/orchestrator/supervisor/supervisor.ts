import type { Readable, Writable } from 'node:stream';
import { readMessages } from '../../system/net/socket.ts';
import { inheritedEnvironment } from '../../system/process/process.ts';
import { sweep } from '../../system/process/sweep.ts';
import { commandTraces } from '../control/command-stamp.ts';
import type { Order } from '../control/supervisor-protocol.ts';
import type { Render } from '../folder/files.ts';
import { releasePorts } from '../folder/reservations.ts';
import { startGuard } from '../guard/client.ts';
import type { Event } from '../state/events.ts';
import { homeFolder } from '../state/paths.ts';
import { startSession } from './session.ts';

/** The streams and surroundings of the supervisor. */
export interface SupervisorIo {
  readonly input: Readable;
  readonly output: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The command that starts a guard. */
  readonly guard: readonly string[];
  readonly render: Render;
}

/**
 * Owns one devnet from its first process to its last. Returns the exit code.
 * It runs a plan, serves the control socket, and tears down on request, when a node fails, or when the command line is
 * gone before it detached.
 */
export async function main(io: SupervisorIo): Promise<number> {
  process.title = 'devnet-supervisor';
  process.umask(0o077);
  // A process that works in a devnet's folder counts as part of the devnet.
  process.chdir('/');
  let attached = true;
  const first = Promise.withResolvers<Extract<Order, { kind: 'up' | 'resume' }> | undefined>();
  const texts = expected<string | undefined>();
  const interrupt = new AbortController();
  const kill = new AbortController();
  io.output.on('error', () => undefined);
  const command = commandTraces(process.ppid);
  let isAlone = false;
  const leave = () => {
    first.resolve(undefined);
    isAlone = attached;
    if (attached) interrupt.abort();
  };
  io.input.on('end', leave).on('close', leave).on('error', leave);
  readMessages<Order>(
    io.input,
    (order) => {
      if (order.kind === 'up' || order.kind === 'resume') first.resolve(order);
      else if (order.kind === 'text') texts.get(order.path).resolve(order.text);
      else if (order.kind === 'detach') attached = false;
      else if (order.kind === 'interrupt') interrupt.abort();
      else kill.abort();
    },
    leave,
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      first.resolve(undefined);
      interrupt.abort();
    });
  // The guard boots while the command line plans.
  const guard = startGuard(io.guard, {
    ...inheritedEnvironment(io.env),
    DEVNET_HOME: io.env['DEVNET_HOME'] ?? '',
    DEVNET_PROCESS: 'guard',
  });
  try {
    const order = await first.promise;
    if (order === undefined) {
      // A command line that was killed while it planned has reserved ports for this process.
      releasePorts(homeFolder(io.env), { supervisor: process.pid });
      return 0;
    }
    const tell = (event: Event) => {
      if (attached && io.output.writable) io.output.write(JSON.stringify(event) + '\n');
    };
    return await startSession(order, {
      ...io,
      guard,
      text: (path) => texts.get(path).promise,
      tell,
      interrupt: interrupt.signal,
      kill,
    });
  } finally {
    // Its command line was killed, and with it the only process that knew of a command of its user.
    if (isAlone) await sweep(command).catch(() => undefined);
    await guard.release();
  }
}

/** Values that are awaited before or after they arrive. */
function expected<T>() {
  const values = new Map<string, PromiseWithResolvers<T>>();
  return {
    get(key: string): PromiseWithResolvers<T> {
      const value = values.get(key) ?? Promise.withResolvers<T>();
      values.set(key, value);
      return value;
    },
  };
}
