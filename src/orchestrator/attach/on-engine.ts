import { attachDocument, type PortFinder } from '../export/attach-document.ts';
import type { Unit } from '../export/unit.ts';
import { homeOf } from '../folder/home.ts';
import { packageImage } from '../load/plan-inputs.ts';
import type { PortRequest } from '../plan/ports.ts';
import { HOST } from '../plan/reach.ts';
import { closeClients } from '../probe/call.ts';
import { type Planned, withPorts } from '../start/with-ports.ts';
import type { Io } from '../terminal/io.ts';
import { attachedPlan } from './attached-plan.ts';
import type { Engine, FoundNetwork, Passage, UnitPort } from './engine/engine.ts';
import type { UnitPlan } from './found-network.ts';
import type { AttachFile } from './schema.ts';
import { survey } from './survey.ts';
import { withTunnel } from './tunnel/tunnel-task.ts';

/** A network on an engine, ready to be attached under a name. */
export interface EngineNetwork {
  readonly name: string;
  readonly engine: Engine;
  readonly onEngine: FoundNetwork;
  readonly network: UnitPlan;
}

/** Names of the ports that a user's commands call. */
const CALLED: ReadonlySet<string> = new Set(['gate', 'http', 'ws', 'rpc']);

/** A port of a unit with its name and its task. */
interface CalledPort extends UnitPort {
  readonly name: string;
}

/**
 * Plans a network that an engine runs. Each of its addresses has said first that it belongs to it.
 * `supervisor`: the process id of its supervisor here.
 * @throws Failure `attach`: a fault of the network
 */
export async function planOnEngine(io: Io, attached: EngineNetwork, supervisor: number): Promise<Planned> {
  const { name, engine, onEngine, network } = attached;
  const ports = network.units.flatMap(calledPorts);
  const published = new Map(onEngine.published.map(({ unit, port, local }) => [keyOf({ unit, port }), local]));
  const carried = onEngine.carries ? ports.filter((port) => !published.has(keyOf(port))) : [];
  const opened = await engine.open(
    carried.map(({ unit, port }) => ({ unit, port, local: 0 })),
    () => undefined,
  );
  const during = new Map(carried.map((port, index) => [keyOf(port), opened.ports[index] ?? 0]));
  const answers = await survey(fileOf(attached, new Map([...published, ...during])))
    .finally(closeClients)
    .finally(() => opened.stop());
  return await withPorts(io, name, carried.map(requestOf), supervisor, (numbers) => {
    const passages: readonly Passage[] = carried.map((port) => ({
      unit: port.unit,
      port: port.port,
      local: numbers[requestOf(port).key] ?? 0,
    }));
    const locals = new Map([...published, ...passages.map((passage) => [keyOf(passage), passage.local] as const)]);
    const file = fileOf(attached, locals);
    const plan = attachedPlan(file, answers, { home: homeOf(io), image: packageImage() });
    return {
      plan: withTunnel(plan, { address: onEngine.address, passages, units: network.units }),
      spec: () => '',
      fixed: false,
    };
  });
}

function calledPorts({ name: unit, ports }: Unit): readonly CalledPort[] {
  return ports
    .filter(({ name, transport }) => transport === 'tcp' && CALLED.has(name))
    .map(({ name, port }) => ({ unit, port, name }));
}

const keyOf = ({ unit, port }: UnitPort): string => `${unit}:${port}`;

function requestOf({ unit, port, name }: CalledPort): PortRequest {
  return {
    key: `tunnel:${unit}:${name}`,
    task: 'tunnel',
    name: `${unit}:${name}`,
    host: HOST,
    transport: 'tcp',
    preferred: port,
    policy: 'preferred',
  };
}

/** Returns the network as an attach file would name it. `locals`: ports of this machine by `<unit>:<port>`. */
function fileOf({ name, engine, network }: EngineNetwork, locals: ReadonlyMap<string, number>): AttachFile {
  const { plan, units, isPublic } = network;
  const port: PortFinder = (task, portName) => {
    const unit = units.find(({ tasks }) => tasks.includes(task));
    const number = unit?.ports.find((each) => each.name === portName && each.transport === 'tcp')?.port;
    return unit === undefined || number === undefined ? undefined : locals.get(`${unit.name}:${number}`);
  };
  const { l1, chains } = attachDocument(plan, port, isPublic);
  return {
    name,
    path: engine.words,
    l1: { ...l1, hardfork: 'prague' },
    chains: Object.fromEntries(Object.entries(chains).map(([chain, each]) => [chain, { ...each, joins: {} }])),
  };
}
