import { join } from 'node:path';
import { packageRoot } from '../../../system/program/entry.ts';
import type { Unit } from '../../export/unit.ts';
import { TUNNEL } from '../../plan/lookup.ts';
import type { Plan, Task } from '../../plan/plan.ts';
import type { EngineAddress, Passage } from '../engine/engine.ts';
import { TUNNEL_OPEN, type TunnelOrder } from './order.ts';

/** What a tunnel carries. */
interface Carried {
  readonly address: EngineAddress;
  readonly passages: readonly Passage[];
  readonly units: readonly Unit[];
}

/** Time (ms) for a tunnel to close its connections. */
const GRACE_MS = 5000;

/**
 * Adds the program to a plan that brings ports and logs of an engine to this machine.
 * The processes of a unit share its output, so their logs are one file.
 */
export function withTunnel(plan: Plan, { address, passages, units }: Carried): Plan {
  const cwd = join(plan.home, 'nodes', TUNNEL);
  const logs = units.map(({ name }) => ({ unit: name, path: join(plan.home, 'nodes', `${name}.log`) }));
  const logOf = (task: string) => {
    const unit = units.find(({ tasks }) => tasks.includes(task));
    return logs.find((log) => log.unit === unit?.name)?.path;
  };
  const order: TunnelOrder = { address, passages, logs };
  const tunnel: Task = {
    id: TUNNEL,
    kind: 'tunnel',
    client: 'tunnel',
    launch: 'spawn',
    clock: 'none',
    prepare: [],
    command: {
      argv: [process.execPath, join(packageRoot(), 'dist', 'tunnel.js'), JSON.stringify(order)],
      cwd,
      env: {},
    },
    secrets: [],
    needs: [],
    reads: [],
    ports: [],
    ready: [{ kind: 'log', pattern: `^${TUNNEL_OPEN}`, description: 'has opened its ports' }],
    live: [],
    stop: { signal: 'SIGTERM', graceMs: GRACE_MS },
    onExit: 'restart',
    log: `${cwd}.log`,
    lifeline: true,
  };
  return { ...plan, tasks: [tunnel, ...plan.tasks.map((task) => ({ ...task, log: logOf(task.id) ?? task.log }))] };
}
