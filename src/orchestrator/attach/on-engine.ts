import { attachDocument, type PortFinder } from '../export/attach-document.ts';
import type { Unit } from '../export/unit.ts';
import { homeOf } from '../folder/home.ts';
import { packageImage } from '../load/plan-inputs.ts';
import { taskIds } from '../plan/lookup.ts';
import type { PortRequest } from '../plan/ports.ts';
import { HOST } from '../plan/reach.ts';
import { mapValues } from '../spec/schema/json.ts';
import { type Planned, withPorts } from '../start/with-ports.ts';
import type { Io } from '../terminal/io.ts';
import { attachedPlan } from './attached-plan.ts';
import type { Engine, FoundNetwork, Passage, UnitPort } from './engine/engine.ts';
import { type UnitPlan, withFiles } from './found-network.ts';
import { joinedNodes, prepareJoin } from './join.ts';
import { peerIdsOf } from './peer-ids.ts';
import type { AttachFile, JoinsFile } from './schema.ts';
import { type Survey, survey } from './survey.ts';
import { withTunnel } from './tunnel/tunnel-task.ts';

/** A network on an engine, ready to be attached under a name. */
export interface EngineNetwork {
  readonly name: string;
  readonly engine: Engine;
  readonly onEngine: FoundNetwork;
  readonly network: UnitPlan;
  /** Nodes of this machine that join it. */
  readonly joins: JoinsFile | undefined;
}

/** Names of the ports that a user's commands call, and of that which peers dial. */
const CALLED: ReadonlySet<string> = new Set(['gate', 'http', 'ws', 'rpc']);
const GOSSIP = 'p2p';

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
  const { name, engine, onEngine, network, joins } = attached;
  const ports = network.units.flatMap((unit) => calledPorts(unit, joins !== undefined));
  const published = new Map(onEngine.published.map(({ unit, port, local }) => [keyOf({ unit, port }), local]));
  const carried = onEngine.carries ? ports.filter((port) => !published.has(keyOf(port))) : [];
  const opened = await engine.open(
    carried.map(({ unit, port }) => ({ unit, port, local: 0 })),
    () => undefined,
  );
  const during = new Map(carried.map((port, index) => [keyOf(port), opened.ports[index] ?? 0]));
  const surveyFile = fileOf(attached, new Map([...published, ...during]), {});
  const [answers, peers] = await Promise.all([
    survey(surveyFile),
    joins === undefined ? {} : peerIdsOf(surveyFile),
  ]).finally(() => opened.stop());
  const joining = await joiningOf(io, attached, surveyFile, answers);
  const requests = [...carried.map(requestOf), ...(joining?.requests ?? [])];
  return await withPorts(io, name, requests, supervisor, (numbers) => {
    const passages: readonly Passage[] = carried.map((port) => ({
      unit: port.unit,
      port: port.port,
      local: numbers[requestOf(port).key] ?? 0,
    }));
    const locals = new Map([...published, ...passages.map((passage) => [keyOf(passage), passage.local] as const)]);
    const file = fileOf(attached, locals, peers);
    const watched = attachedPlan(file, answers, { home: homeOf(io), image: packageImage() });
    const plan = joining === undefined ? watched : joinedNodes(io, watched, joining, file, numbers);
    return {
      plan: withTunnel(plan, { address: onEngine.address, passages, units: network.units }),
      spec: () => '',
      fixed: false,
    };
  });
}

/** Loads the nodes that join. The genesis of their chain is that of their file, else what the engine's files give. */
async function joiningOf(io: Io, { onEngine }: EngineNetwork, file: AttachFile, answers: Survey) {
  if (file.export !== undefined) return await prepareJoin(io, file, answers);
  return await withFiles(io, onEngine, (paths) => prepareJoin(io, { ...file, export: paths }, answers));
}

function calledPorts({ name: unit, ports, kind }: Unit, withGossip: boolean): readonly CalledPort[] {
  const isDialled = (name: string) => withGossip && kind === 'cl' && name === GOSSIP;
  return ports
    .filter(({ name, transport }) => transport === 'tcp' && (CALLED.has(name) || isDialled(name)))
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

/**
 * Returns the network as an attach file would name it. `locals`: ports of this machine by `<unit>:<port>`.
 * `peers`: peer ids by task. A peer whose id is unknown is not dialled.
 */
function fileOf(
  { name, engine, network, joins }: EngineNetwork,
  locals: ReadonlyMap<string, number>,
  peers: Readonly<Record<string, string>>,
): AttachFile {
  const { plan, units, isPublic, hardfork } = network;
  const port: PortFinder = (task, portName) => {
    const unit = units.find(({ tasks }) => tasks.includes(task));
    const number = unit?.ports.find((each) => each.name === portName && each.transport === 'tcp')?.port;
    return unit === undefined || number === undefined ? undefined : locals.get(`${unit.name}:${number}`);
  };
  const p2pOf = (task: string) => {
    const [number, id] = [port(task, GOSSIP), peers[task]];
    return number === undefined || id === undefined ? {} : { p2p: `/ip4/${HOST}/tcp/${number}/p2p/${id}` };
  };
  const { l1, chains } = attachDocument(plan, port, isPublic);
  return {
    name,
    path: joins?.path ?? engine.words,
    ...(joins?.export === undefined ? {} : { export: joins.export }),
    l1: { ...l1, hardfork },
    chains: mapValues(chains, ({ nodes, ...chain }, chainName) => ({
      ...chain,
      nodes: mapValues(nodes, ({ cl, ...node }, each) => ({
        ...node,
        cl: { ...cl, ...p2pOf(taskIds(chainName, each).cl) },
      })),
      joins: {},
      ...joins?.chains[chainName],
    })),
  };
}
