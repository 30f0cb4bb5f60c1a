import { useKeccak } from '../../protocol/hash.ts';
import { wasmKeccak } from '../../system/crypto/keccak.ts';
import { Failure } from '../../system/failure.ts';
import { readText } from '../../system/files/folder.ts';
import { timeAt } from '../../system/time/clock.ts';
import { conflict } from '../control/refusals.ts';
import { mustRunHere } from '../devnet/own-spec.ts';
import { type Devnet, viewOf } from '../devnet/select.ts';
import { readPlan } from '../folder/devnet-folder.ts';
import { homeOf } from '../folder/home.ts';
import { findSpec } from '../load/find-spec.ts';
import { loadSpec } from '../load/load-spec.ts';
import type { LoadedSpec } from '../load/loaded-spec.ts';
import { planInputs } from '../load/plan-inputs.ts';
import { portalsOf } from '../plan/chain/portal.ts';
import { ANY } from '../plan/links.ts';
import type { Plan, Task } from '../plan/plan.ts';
import { HOST } from '../plan/reach.ts';
import { dashboardPort } from '../plan/tasks/dashboard.ts';
import { planNetwork } from '../plan/tasks/network.ts';
import { keptText } from '../spec/resolve/pin.ts';
import type { Json } from '../spec/schema/json.ts';
import type { Assignment } from '../spec/text/set.ts';
import { specHash } from '../state/spec-hash.ts';
import type { Io } from '../terminal/io.ts';

/** A change of a devnet's own spec. */
export interface SpecChange {
  /** Changes the text first. */
  readonly edit?: (spec: Json) => Json;
  /** Values that are laid over it then. */
  readonly set?: readonly Assignment[];
  /** The tasks that the network has before and after it. Absent: all. */
  readonly stays?: (task: Task) => boolean;
  /** Returns the numbers of ports that the devnet has not reserved yet. Absent: no process is new. */
  readonly newPorts?: (plan: Plan, loaded: LoadedSpec, hiddenHost: string) => Promise<Readonly<Record<string, number>>>;
}

/** A network planned from its changed spec. */
export interface PlannedAgain {
  /** The plan in force. */
  readonly plan: Plan;
  readonly next: Plan;
  /** The spec as the devnet keeps it. */
  readonly spec: string;
  /** SHA-256 of the spec before the change. */
  readonly basis: string;
}

/**
 * Plans a devnet from its own spec, which holds all earlier changes. Ports, genesis and keys stay the same.
 * @throws Failure `conflict`, `changed`, `spec`
 */
export async function planAgain(io: Io, devnet: Devnet, change: SpecChange): Promise<PlannedAgain> {
  const { edit, set = [], stays = () => true, newPorts } = change;
  mustRunHere(devnet, 'spec');
  const { plan, state } = viewOf(devnet);
  const basis = readText(devnet.paths.spec) ?? '';
  // `now+20s` refers to the network's clock.
  const now = timeAt(state.clock, Date.now()) / 1000;
  const original = findSpec(io.cwd, devnet.paths.spec);
  const text = edit === undefined ? undefined : JSON.stringify(edit(JSON.parse(basis) as Json), null, 2);
  const spec = text === undefined ? original : { ...original, source: { ...original.source, text } };
  const loaded = await loadSpec(io, { spec, set, manual: [] }, now);
  useKeccak(await wasmKeccak());
  const hiddenHost = plan.tasks.find(({ id }) => id === 'l1')?.ports[0]?.host ?? HOST;
  const ports = { ...portsOf(plan), ...(await newPorts?.(plan, loaded, hiddenHost)) };
  const places = { hiddenHost, ports, portals: portalsOf(plan) };
  const next = withStandingLinks(
    plan,
    planNetwork(loaded.spec, loaded.clients, planInputs(io, loaded, homeOf(io), places, now)),
  );
  mustBeSame(devnet, plan, next, stays);
  return {
    ...{ plan, next },
    spec: keptText(loaded.document, { genesisTime: plan.genesisTime, now }),
    basis: specHash(basis),
  };
}

/** Keeps the links between tasks that go on: a process that does not restart calls the others as it did. */
function withStandingLinks({ links = [] }: Plan, next: Plan): Plan {
  if (next.links === undefined) return next;
  const ids = new Set(next.links.map(({ id }) => id));
  const tasks = new Set([...next.tasks.map(({ id }) => id), ANY]);
  const rest = links.filter(({ id, from, to }) => !ids.has(id) && tasks.has(from) && tasks.has(to));
  return { ...next, links: [...next.links, ...rest] };
}

/** Returns the numbers of all ports of a plan by the keys of their requests. */
export function portsOf(plan: Plan): Readonly<Record<string, number>> {
  const taskPorts = plan.tasks.flatMap(({ id, ports }) =>
    ports.map(({ name, port }) => [`${id}:${name}`, port] as const),
  );
  const links = (plan.links ?? []).map(({ id, listen }) => [id, listen.port] as const);
  return { ...plan.ports, ...Object.fromEntries([...taskPorts, ...links]), ...dashboardPort(plan) };
}

/**
 * Compares two plans of one network in what no change may replace.
 * @throws Failure `conflict` if another command changed the network meanwhile, `changed` if files that the spec names
 * are not what they were when the network began
 */
function mustBeSame({ paths }: Devnet, before: Plan, after: Plan, counts: (task: Task) => boolean): void {
  const facts = ({ genesisTime, home, network, tasks }: Plan) =>
    JSON.stringify([
      genesisTime,
      home,
      network.l1.genesisHash,
      network.chains.map(({ name, genesisHash }) => [name, genesisHash]),
      tasks
        .filter(counts)
        .map(({ id }) => id)
        .sort(),
    ]);
  if (facts(before) === facts(after)) return;
  const now = readPlan(paths);
  if (now !== undefined && facts(now) !== facts(before)) throw conflict();
  throw new Failure(
    'changed',
    `${before.devnet} cannot be planned again: files of its spec have changed, or another version of devnet started it`,
    { hint: `run \`devnet down ${before.devnet}\` and \`devnet up\` to start it anew` },
  );
}
