import { EXIT, Failure } from '../../system/failure.ts';
import { allDevnets } from '../devnet/select.ts';
import { homeOf } from '../folder/home.ts';
import { packageImage } from '../load/plan-inputs.ts';
import { type Planned, withPorts } from '../start/with-ports.ts';
import type { Io } from '../terminal/io.ts';
import { attachedPlan } from './attached-plan.ts';
import type { EngineAddress } from './engine/engine.ts';
import { planFound, type UnitPlan } from './found-network.ts';
import { type Joining, joinedNodes, prepareJoin } from './join.ts';
import { planOnEngine } from './on-engine.ts';
import { readAttachFile } from './read-file.ts';
import { type JoinableNetwork, readJoinsFile } from './read-joins.ts';
import type { AttachFile } from './schema.ts';
import { survey } from './survey.ts';

/** Where a network is that runs elsewhere: a file of its addresses, or the engine that runs its export. */
export type AttachSource = { readonly file: string } | EnginePlace;

/** An engine, and the path of a file whose nodes join the network there. */
type EnginePlace = (
  | {
      /** A namespace of the cluster that the kubeconfig names. */
      readonly kube: string;
    }
  | {
      /** A Docker context. */
      readonly context: string;
    }
) & { readonly joins?: string };

/** A network that runs elsewhere, before it is attached. */
export interface Attachment {
  /** The name by which commands find it. */
  readonly name: string;
  /**
   * Plans the network and what this machine runs for it. Each address has said first that it belongs to it.
   * `supervisor`: the process id of its supervisor here.
   * @throws Failure `attach`: a fault of the network; `spec`: of a node that joins
   */
  plan(supervisor: number): Promise<Planned>;
}

/**
 * Finds a network that runs elsewhere. `name`: in place of its own.
 * @throws Failure `attach`: a fault of the file, or of the engine; `exists` (exit 2): a devnet has its name
 */
export async function findNetwork(io: Io, source: AttachSource, name: string | undefined): Promise<Attachment> {
  if ('file' in source) {
    const content = readAttachFile(io.cwd, source.file);
    const file = { ...content, name: freeName(io, name ?? content.name) };
    return { name: file.name, plan: (supervisor) => planFile(io, file, supervisor) };
  }
  // Clients of engines are loaded only for networks that one of them runs.
  const { engineAt } = await import('./tunnel/engines.ts');
  const place = await engineAt(await addressOf(io, source));
  const onEngine = await place.find();
  const network = await planFound(io, onEngine, place.words);
  const engine = await engineAt(onEngine.address);
  const joins = source.joins === undefined ? undefined : readJoinsFile(io.cwd, source.joins, joinableOf(network));
  const attached = { name: freeName(io, name ?? onEngine.devnet), engine, onEngine, network, joins };
  return { name: attached.name, plan: (supervisor) => planOnEngine(io, attached, supervisor) };
}

function joinableOf({ plan, isPublic }: UnitPlan): JoinableNetwork {
  const { chains } = plan.network;
  return {
    isPublic,
    nodes: Object.fromEntries(chains.map(({ name, nodes }) => [name, nodes.map((each) => each.name)])),
  };
}

async function addressOf(io: Io, source: EnginePlace): Promise<EngineAddress> {
  if ('context' in source) {
    const { dockerAddress } = await import('./docker/address.ts');
    return dockerAddress(io, source.context);
  }
  const { kubernetesAddress } = await import('./kubernetes/address.ts');
  return await kubernetesAddress(io, source.kube);
}

/** @throws Failure `exists` (exit 2) if a devnet has the name */
function freeName(io: Io, name: string): string {
  const holder = allDevnets(io).find(({ paths }) => paths.name === name);
  if (holder === undefined) return name;
  throw new Failure('exists', `a devnet of the name ${name} exists, and was not changed`, {
    exit: EXIT.usage,
    hint: `choose another name with --name, or run \`devnet down ${name}\``,
  });
}

async function planFile(io: Io, file: AttachFile, supervisor: number): Promise<Planned> {
  const answers = await survey(file);
  const plan = attachedPlan(file, answers, { home: homeOf(io), image: packageImage() });
  const joining: Joining | undefined = await prepareJoin(io, file, answers);
  return await withPorts(io, file.name, joining?.requests ?? [], supervisor, (ports) => ({
    plan: joining === undefined ? plan : joinedNodes(io, plan, joining, file, ports),
    spec: () => '',
    fixed: joining === undefined,
  }));
}
