import { type ProbeTemplate, planProbe } from '../../probe/kinds.ts';
import type { ProcessSpec } from '../../spec/schema/types.ts';
import { parseSeconds } from '../../spec/schema/values.ts';
import type { Values, ValuesOf } from '../../template/references.ts';
import type { ClientTemplate, OptionsTemplate } from '../../template/template.ts';
import {
  argumentWords,
  isOn,
  parseText,
  type Rendered,
  renderArguments,
  renderText,
  renderWords,
} from '../../template/text.ts';
import type { PlanContext } from '../context.ts';
import { textsGiven } from '../given.ts';
import { taskFolder } from '../inputs.ts';
import { entryOf } from '../lookup.ts';
import type { Command, PlannedFile, PlannedPort, Task, TaskKind } from '../plan.ts';
import { type Addresses, hostsOf, reach, SUPERVISOR } from '../reach.ts';
import { readsOf } from '../reads.ts';
import { planOmissions } from './omissions.ts';
import { containerOf, environmentOf, programOf } from './program.ts';
import type { TaskReference, ValuesFor } from './values.ts';

/** Inputs of one task beside its template. */
export interface TaskParts {
  readonly id: string;
  readonly chain?: string;
  readonly node?: string;
  readonly process: ProcessSpec;
  readonly template: ClientTemplate;
  /** Arguments and environment that the template gives to this role only. */
  readonly role?: OptionsTemplate | undefined;
  /** Whether it is a verifier that no peer sends blocks to. */
  readonly isAlone?: boolean;
  readonly values: ValuesFor;
  /** Activation times that the program receives by flags. */
  readonly overrides: Readonly<Record<string, string | number>>;
  /** Keys and JWT secrets that the process receives, in its environment or in files. */
  readonly secrets: readonly string[];
  readonly needs: Task['needs'];
  /** Files of the plan that it may read. */
  readonly files: readonly PlannedFile[];
  readonly onExit: Task['onExit'];
  /** Peers that must be connected. */
  readonly peers: number;
  /** Time (ms) between two of its transactions on L1, if the spec sets one. */
  readonly intervalMs?: number;
}

/** Kinds that start when the network is ready. */
const LATE_KINDS: ReadonlySet<TaskKind> = new Set(['proposer', 'challenger']);

/** A task, and what it adds to the plan beside itself. */
export interface PlannedTask {
  readonly task: Task;
  /** Its copies of files that lack keys. */
  readonly files: readonly PlannedFile[];
  readonly notices: readonly string[];
}

/** The parts of a planned network that a task needs. */
type TaskContext = Pick<PlanContext, 'inputs' | 'addresses'>;

/** Plans one task, with copies of the files that it must not see whole. Pure. */
export function planTask(parts: TaskParts, context: TaskContext): PlannedTask {
  const copies = planOmissions({ ...parts, values: parts.values(parts.id) }, context.inputs);
  const sources = parts.files.filter(({ path }) => !copies.files.some((copy) => copy.path === path));
  const files = [...sources, ...copies.files];
  const values: ValuesFor = (from) => ({ ...parts.values(from), ...copies.values });
  const task = buildTask({ ...parts, values, files }, context);
  return { task, files: copies.files, notices: copies.notices };
}

function buildTask(parts: TaskParts, { inputs, addresses }: TaskContext): Task {
  const { template, process, id } = parts;
  const dir = taskFolder(inputs, id);
  const values = commandValues(parts, dir, addresses);
  const forProbes = probeValues(parts, dir, addresses);
  const args = argumentsOf(parts, values);
  const program = programOf(parts, inputs, values);
  const env = environmentOf(parts, values);
  const command = (words: readonly string[]): Command => ({ argv: [...program, ...words], cwd: dir, env });
  const ports = portsOf(template, id, args, addresses);
  const probes = (list: readonly ProbeTemplate[]) =>
    list.flatMap(
      (probe) =>
        planProbe(probe, {
          text: (text) => String(renderText(parseText(text), forProbes)),
          value: (value) => deepRender(value, forProbes),
          port: (name) =>
            ports.some((port) => port.name === name) ? reach(addresses, SUPERVISOR, id, name) : undefined,
          peers: parts.peers,
        }) ?? [],
    );
  return {
    id,
    kind: template.kind,
    ...(parts.chain === undefined ? {} : { chain: parts.chain }),
    ...(parts.node === undefined ? {} : { node: parts.node }),
    client: template.name,
    launch: process.launch,
    clock: template.clock,
    prepare: template.prepare.map((step) =>
      command([
        ...renderWords(step.command, values),
        ...argumentWords(renderArguments(step.args, values), template.booleans),
        ...renderWords(step.operands, values),
      ]),
    ),
    ...(template.rewind === undefined
      ? {}
      : {
          rewind: command([
            ...renderWords(template.rewind.command, values),
            ...argumentWords(renderArguments(template.rewind.args, values), template.booleans),
          ]),
        }),
    ...(process.runtime === 'embedded' || template.version === null
      ? {}
      : { version: { argv: [...program, ...renderWords(template.version, values)], cwd: dir, env: {} } }),
    command: command([...renderWords(template.command, values), ...argumentWords(args, template.booleans)]),
    ...(template.resume === null
      ? {}
      : {
          resume: {
            file: String(renderText(template.resume.file, values)),
            command: command([
              ...renderWords(template.command, values),
              ...argumentWords({ ...args, ...renderArguments(template.resume.args, values) }, template.booleans),
            ]),
            reads: readsOf(textsGiven(parts, template.resume.args), values, parts.files),
          },
        }),
    secrets: parts.secrets,
    needs: parts.needs,
    ...(LATE_KINDS.has(template.kind) ? { late: true } : {}),
    reads: readsOf(textsGiven(parts), values, parts.files),
    ports,
    ...givenOf(process, args),
    ...paceOf(parts, args, values),
    ...(template.polls.l1HeadMs + template.polls.l1FinalityMs > 0 ? { polls: template.polls } : {}),
    ...(template.harmless.length > 0 ? { harmless: template.harmless } : {}),
    ...firstBlockOf(parts, forProbes),
    ready: probes(template.ready),
    live: probes(template.live),
    stop: template.stop,
    onExit: parts.onExit,
    log: `${dir}.log`,
    ...containerOf(parts, inputs),
    lifeline: process.runtime === 'embedded',
  };
}

function givenOf(
  { args: specArgs }: ProcessSpec,
  args: Readonly<Record<string, Rendered>>,
): { given?: Readonly<Record<string, string | null>> } {
  const names = Object.keys(specArgs);
  if (names.length === 0) return {};
  const textOf = (value: Rendered | undefined) => (value === null || value === undefined ? null : String(value));
  return { given: Object.fromEntries(names.map((name) => [name, textOf(args[name])])) };
}

function paceOf(
  { template: { kind, pace }, intervalMs }: TaskParts,
  args: Readonly<Record<string, Rendered>>,
  values: Values,
): Pick<Task, 'paceMs' | 'postsFinalized'> {
  const option = (name: string | null | undefined) => String((name && args[name]) ?? '');
  const times = [
    Number(option(pace?.l1Blocks)) * Number(values['l1.blockTime']) * 1000,
    (parseSeconds(option(pace?.every)) ?? 0) * 1000,
    intervalMs ?? 0,
  ].filter((ms) => ms > 0);
  const safeWith = pace?.safeWith;
  const postsFinalized = kind === 'proposer' && !(safeWith && isOn(args, safeWith));
  return {
    ...(times.length === 0 ? {} : { paceMs: Math.max(...times, pace?.atLeastMs ?? 0) }),
    ...(postsFinalized ? { postsFinalized } : {}),
  };
}

function firstBlockOf({ template, isAlone }: TaskParts, values: Values): Pick<Task, 'firstBlock'> {
  if (template.firstBlock === null || isAlone !== true) return {};
  const { rpc, method, head } = template.firstBlock;
  return { firstBlock: { rpc: String(renderText(rpc, values)), method, head: String(renderText(head, values)) } };
}

/** Returns the values of the references in a task's commands. */
function commandValues(parts: TaskParts, dir: string, addresses: Addresses): Values {
  const { id, template } = parts;
  const ports = template.portNames.map((name) => [`port.${name}`, addresses.ports[`${id}:${name}`]]);
  return { ...parts.values(id), ...Object.fromEntries(ports), ...ownValues(id, dir, addresses, 'bind') };
}

/** Returns the values of the references in what the supervisor asks a task. */
function probeValues(parts: TaskParts, dir: string, addresses: Addresses): Values {
  const { id, template } = parts;
  const ports = template.portNames.map((name) => [`port.${name}`, reach(addresses, SUPERVISOR, id, name).port]);
  return { ...parts.values(SUPERVISOR), ...Object.fromEntries(ports), ...ownValues(id, dir, addresses, 'reach') };
}

function ownValues(id: string, dir: string, addresses: Addresses, use: 'bind' | 'reach'): ValuesOf<TaskReference> {
  const host = hostsOf(addresses, id)[use];
  return { task: id, dir, data: `${dir}/data`, host, 'host.name': addresses.hostNames?.[id] };
}

function argumentsOf(
  { template, role, process, overrides }: TaskParts,
  values: Values,
): Readonly<Record<string, Rendered>> {
  return {
    ...renderArguments(template.args, values),
    ...renderArguments(role?.args ?? {}, values),
    ...overrides,
    ...process.args,
  };
}

function portsOf(
  template: ClientTemplate,
  id: string,
  args: Readonly<Record<string, Rendered>>,
  addresses: Addresses,
): readonly PlannedPort[] {
  return Object.entries(template.ports)
    .filter(
      ([, port]) =>
        (port.with === undefined || isOn(args, port.with)) && (port.without === undefined || !isOn(args, port.without)),
    )
    .map(([name, { transport }]) => {
      const { bind: host } = hostsOf(addresses, id);
      return { name, host, port: entryOf(addresses.ports, `${id}:${name}`), transport };
    });
}

function deepRender(value: unknown, values: Values): unknown {
  if (typeof value === 'string') return renderText(parseText(value), values) ?? null;
  if (Array.isArray(value)) return value.map((item) => deepRender(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, deepRender(item, values)]));
}
