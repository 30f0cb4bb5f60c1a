import type { HostNames } from '../plan/inputs.ts';
import { entryOf } from '../plan/lookup.ts';
import type { Plan, PlannedPort, Task, TaskKind } from '../plan/plan.ts';
import type { ClientTemplate, EngineProbe } from '../template/template.ts';
import type { NodeLabels, Places } from './places.ts';
import { unitDigest } from './unit-digest.ts';

/** What a container of another image than the package's runs. The entry program writes its files before. */
export interface ClientContainer {
  readonly image: string;
  /** Commands that run to their end before the client, each whole. */
  readonly prepare: readonly (readonly string[])[];
  readonly argv: readonly string[];
  /** Whether the image's own entry point is the program, so that `argv` has its arguments alone. */
  readonly entry: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** What an engine starts, restarts and ends as one: a container of Compose, a pod of Kubernetes. */
export interface Unit {
  /** Host name, by which the others call it. */
  readonly name: string;
  /** Ids of its tasks, in the order of their start. */
  readonly tasks: readonly string[];
  /** That of the task which others see. */
  readonly kind: Exclude<TaskKind, 'l1' | 'tunnel'>;
  /** Chain of its task; undefined: L1. */
  readonly chain: string | undefined;
  /** Whether it belongs to the sequencer of its chain. */
  readonly isSequencer: boolean;
  /** Names of the units that are ready before it starts. */
  readonly needs: readonly string[];
  /** Ports that other units call. */
  readonly ports: readonly PlannedPort[];
  /** Time (ms) for a clean end. */
  readonly graceMs: number;
  /** What an engine asks whether it is ready. Ports are named. */
  readonly probe: EngineProbe;
  /** Its client in an image of its own; absent: the package's image has it. */
  readonly client?: ClientContainer;
  /** Of what it runs and reads: see `unitDigest`. */
  readonly digest: string;
  /** Labels of the machine on which it runs; undefined: any. */
  readonly place: NodeLabels | undefined;
}

/** Time (ms) for L1 to write its state at a stop: it is kept in memory until then. */
const L1_GRACE_MS = 60_000;

/** Time (ms) for the entry program beside that of its process. */
const ENTRY_GRACE_MS = 2000;

/** What the units of an export follow from beside its plan. */
export interface UnitParts {
  readonly hostNames: HostNames;
  readonly places: Places;
  readonly clients: ReadonlyMap<string, Pick<ClientTemplate, 'probe'>>;
}

/** Lists the units of a plan: L1 with its beacon node, then each other task, in the order of the spec. */
export function unitsOf(plan: Plan, parts: UnitParts): readonly Unit[] {
  const names = [...new Set(Object.values(parts.hostNames))];
  return names.map((name) => unitOf(name, plan, parts));
}

/** Lists the tasks of a unit in the order of their start. The beacon node of L1 ends before anvil. */
export function tasksOfUnit({ tasks }: Pick<Plan, 'tasks'>, hostNames: HostNames, unit: string): readonly Task[] {
  const inUnit = tasks.filter(({ id }) => hostNames[id] === unit);
  return [...inUnit.filter(({ kind }) => kind === 'l1'), ...inUnit.filter(({ kind }) => kind !== 'l1')];
}

function unitOf(name: string, plan: Plan, { hostNames, places, clients }: UnitParts): Unit {
  const tasks = tasksOfUnit(plan, hostNames, name);
  const servers = tasks.filter(({ kind }) => kind !== 'l1');
  const [task] = servers;
  if (task === undefined || task.kind === 'l1' || task.kind === 'tunnel')
    throw new Error(`the unit ${name} has no task that others call`);
  const isL1 = task.kind === 'beacon';
  const needs = tasks.flatMap((each) => each.needs.map((need) => entryOf(hostNames, need.task)));
  const execution = task.kind === 'cl' ? [entryOf(hostNames, task.id.replace(/cl$/, 'el'))] : [];
  const first = isL1 ? [] : [entryOf(hostNames, 'l1')];
  return {
    name,
    tasks: tasks.map(({ id }) => id),
    kind: task.kind,
    chain: task.chain,
    isSequencer: isSequencer(task, plan),
    needs: [...new Set([...first, ...execution, ...needs])].filter((other) => other !== name),
    ports: servers.flatMap(({ ports }) => ports),
    graceMs: ENTRY_GRACE_MS + (isL1 ? L1_GRACE_MS : Math.max(...tasks.map(({ stop }) => stop.graceMs))),
    probe: entryOf(clients, task.client).probe ?? { tcpSocket: { port: task.ports[0]?.name ?? '' } },
    ...clientOf(task),
    digest: unitDigest(plan, tasks),
    place: places[task.id],
  };
}

function clientOf({ container, prepare, command: { argv, cwd, env } }: Task): Pick<Unit, 'client'> {
  if (container === undefined || container.own) return {};
  const { image, entry } = container;
  return { client: { image, entry, prepare: prepare.map((step) => step.argv), argv, env, cwd } };
}

function isSequencer({ chain, node }: Task, { network }: Plan): boolean {
  const nodes = network.chains.find(({ name }) => name === chain)?.nodes ?? [];
  return nodes.some(({ name, role }) => name === node && role === 'sequencer');
}

/** Ports of a unit that users call, and peers that join: JSON-RPC, the beacon API and gossip, not the Engine API. */
export function publicPorts({ kind, ports }: Unit): readonly PlannedPort[] {
  const names: Readonly<Record<Unit['kind'], readonly string[]>> = {
    beacon: ['gate', 'http'],
    el: ['http', 'ws'],
    cl: ['rpc', 'p2p'],
    batcher: [],
    proposer: [],
    challenger: [],
    signer: [],
    'da-server': [],
    // By it users reach the sequencer that leads.
    conductor: ['rpc'],
  };
  return ports.filter(({ name }) => names[kind].includes(name));
}

/** Ports of a unit that other machines may call: JSON-RPC without administration of the node. */
export function openPorts(unit: Unit): readonly PlannedPort[] {
  return publicPorts(unit).filter(({ name }) => unit.kind === 'el' || name === 'gate');
}
