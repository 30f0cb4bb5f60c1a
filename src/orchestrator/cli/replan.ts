import { join } from 'node:path';
import { EXIT, Failure } from '../../system/failure.ts';
import type { Plan, Task } from '../plan/plan.ts';
import type { Io } from './command.ts';
import { homeOf } from './early.ts';
import { loadSpec } from './load-spec.ts';
import { makePlan } from './make-plan.ts';
import type { Change } from './node-command.ts';

type Pairs = readonly (readonly [string, string])[];

/**
 * Plans a running network again with other fork times or arguments for one node; everything else (ports, genesis, keys) comes out as it was.
 * Returns the tasks of that node and the files that changed.
 */
export async function replan(
  io: Io,
  plan: Plan,
  tasks: readonly Task[],
  overrides: Pairs,
  args: Pairs,
): Promise<Change> {
  const [first] = tasks;
  if (first?.chain === undefined || first.node === undefined)
    throw new Failure('usage', '--override and --arg are for nodes', { exit: EXIT.usage });
  const node = `chains.${first.chain}.nodes.${first.node}`;
  const kinds = new Set(tasks.map(({ kind }) => kind));
  if (args.length > 0 && kinds.size > 1)
    throw new Failure('usage', '--arg: say of which process: NODE.el or NODE.cl', { exit: EXIT.usage });
  const set = [
    ...overrides.map(([fork, time]) => `${node}.override.${fork}=${time}`),
    ...args.map(([name, value]) => `${node}.${first.kind}.args[${JSON.stringify(name)}]=${value}`),
  ];
  const loaded = await loadSpec(io, { spec: join(plan.home, 'spec.yaml'), set, manual: [] });
  const spec = { ...loaded.spec, time: { genesis: plan.genesisTime } };
  const ports = Object.fromEntries(
    plan.tasks.flatMap(({ id, ports: own }) => own.map(({ name, port }) => [`${id}:${name}`, port])),
  );
  const next = makePlan(io, { ...loaded, spec }, homeOf(io), ports);
  const before = new Map(plan.files.map((file) => [file.path, JSON.stringify(file)]));
  // A node's overrides are its own: its execution client and its rollup node both have to know.
  const own = next.tasks.filter(({ chain, node: name }) => chain === first.chain && name === first.node);
  return {
    plan: next,
    tasks: own.filter(({ id }) => tasks.some((task) => task.id === id)),
    files: next.files.filter((file) => file.content.kind === 'text' && before.get(file.path) !== JSON.stringify(file)),
  };
}
