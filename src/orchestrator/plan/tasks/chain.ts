import { rulesAt } from '../../../protocol/forks/index.ts';
import { present } from '../../../protocol/present.ts';
import type { ProcessSpec } from '../../spec/schema/types.ts';
import type { ReferencesOf, Values, ValuesOf } from '../../template/references.ts';
import { chainFiles } from '../chain/chain-files.ts';
import { chainView } from '../chain/chain-view.ts';
import type { PlannedChain } from '../chain/planned-chain.ts';
import type { PlanContext } from '../context.ts';
import { taskFolder } from '../inputs.ts';
import { entryOf, taskIds } from '../lookup.ts';
import type { ChainView, PlannedFile, Task } from '../plan.ts';
import { OUTSIDE, urlOf } from '../reach.ts';
import type { ChainContext } from './context.ts';
import type { PlannedL1 } from './l1.ts';
import { needsOf } from './needs.ts';
import { planNode } from './node.ts';
import { identifyNode } from './node-identity.ts';
import { type PlannedTask, planTask } from './task.ts';
import { chainValues } from './values.ts';

/** What a chain adds to a plan. */
export interface ChainParts {
  readonly tasks: readonly Task[];
  readonly files: readonly PlannedFile[];
  readonly view: ChainView;
  readonly notices: readonly string[];
}

/** Plans the nodes of a chain, then its batcher, proposer and challenger. */
export function planChain(
  chain: PlannedChain,
  network: PlanContext,
  l1: Pick<PlannedL1, 'values' | 'shared'>,
): ChainParts {
  const { inputs, clients, addresses } = network;
  const files = chainFiles(chain, inputs);
  const names = Object.keys(chain.spec.nodes);
  const [name, { el }] = sequencerOf(chain);
  const { ws } = el.external ?? entryOf(clients, el.client).ports;
  const sequencer = { ...taskIds(chain.name, name), hasWs: ws !== undefined };
  const context: ChainContext = {
    ...network,
    chain,
    nodes: names.map((node) => identifyNode(network, chain, node)),
    sequencer,
    values: (from) => ({ ...l1.values(from), ...chainValues(chain, addresses, sequencer, from) }),
    files: [...l1.shared, ...files],
  };
  const signer = planSigner(context);
  const daServer = planDaServer(context);
  const conductor = planConductor(context);
  const nodes = context.nodes.map((identity) => planNode(context, identity));
  const batcher = planBatcher(context);
  const proposer = planProposer(context);
  const challenger = planChallenger(context);
  const posters = [batcher, proposer, challenger].filter((poster) => poster !== undefined);
  const services = [signer, daServer, conductor].filter((service) => service !== undefined);
  const views = {
    batcher: batcher?.view,
    proposer: proposer?.view,
    challenger: challenger?.view,
    signer: signer?.view,
    daServer: daServer?.view,
    conductor: conductor?.view,
  };
  const processes = { nodes: nodes.map(({ view }) => view), ...views };
  return {
    tasks: [
      ...services.map(({ task }) => task),
      ...nodes.flatMap(({ tasks }) => tasks),
      ...posters.map(({ task }) => task),
    ],
    files: [...files, ...[...services, ...nodes, ...posters].flatMap(({ files }) => files)],
    notices: [...services, ...nodes, ...posters].flatMap(({ notices }) => notices),
    view: chainView(chain, inputs, processes),
  };
}

function sequencerOf({ name, spec }: PlannedChain) {
  return present(
    Object.entries(spec.nodes).find(([, { role }]) => role === 'sequencer'),
    `sequencer of ${name}`,
  );
}

/** The type of a permissioned dispute game. */
const PERMISSIONED_GAME = 1;

/** A process that posts to L1 for a chain. */
export interface PlannedPoster extends PlannedTask {
  readonly view: NonNullable<ChainView['batcher']>;
}

/** Plans the batcher of a chain; undefined if the spec has none. */
export function planBatcher(context: ChainContext): PlannedPoster | undefined {
  const { chain } = context;
  const { batcher } = chain.spec;
  if (batcher === null) return undefined;
  const key = keyOf('batcher', context);
  const values: ValuesOf<ReferencesOf<'batcher'>> = {
    'batcher.da': batcher.da,
    'batcher.batchType': rulesAt(chain.schedule, chain.clock.genesisTime).batches.span ? 1 : 0,
    'batcher.key': key.secret,
    'batcher.keyFile': key.file.path,
  };
  return planPoster({ kind: 'batcher', process: batcher, values, key }, context);
}

/** Plans the proposer of a chain; undefined if the spec has none. */
export function planProposer(context: ChainContext): PlannedPoster | undefined {
  const { spec, genesis, clock } = context.chain;
  const { proposer } = spec;
  if (proposer === null) return undefined;
  const games = genesis.withdrawals.system === 'dispute-games';
  const interval = games ? proposer.interval : genesis.withdrawals.submissionInterval * clock.blockTime;
  const key = keyOf('proposer', context);
  const values: ValuesOf<ReferencesOf<'proposer'>> = {
    'proposer.gameInterval': games ? `${proposer.interval}s` : undefined,
    'proposer.gameType': games ? PERMISSIONED_GAME : undefined,
    'proposer.key': key.secret,
    'proposer.keyFile': key.file.path,
  };
  return planPoster({ kind: 'proposer', process: proposer, values, key, intervalMs: interval * 1000 }, context);
}

/** Plans the challenger of a chain; undefined if the spec has none. */
export function planChallenger(context: ChainContext): PlannedPoster | undefined {
  const challenger = context.chain.spec.proposer?.challenger ?? null;
  if (challenger === null) return undefined;
  const key = keyOf('challenger', context);
  const values: ValuesOf<ReferencesOf<'challenger'>> = {
    'challenger.gameType': PERMISSIONED_GAME,
    'challenger.key': key.secret,
    'challenger.keyFile': key.file.path,
  };
  return planPoster({ kind: 'challenger', process: challenger, values, key }, context);
}

/** Plans the signer of a chain; undefined if the spec has none. */
export function planSigner(context: ChainContext): PlannedPoster | undefined {
  const { signer } = context.chain.spec;
  if (signer === null) return undefined;
  const key = keyOf('signer', context);
  return planPoster({ kind: 'signer', process: signer, values: { 'signer.keyFile': key.file.path }, key }, context);
}

/** Plans the DA server of a chain; undefined if the spec has none. */
export function planDaServer(context: ChainContext): PlannedPoster | undefined {
  const { altDa } = context.chain.spec;
  return altDa === null ? undefined : planPoster({ kind: 'da-server', process: altDa, values: {} }, context);
}

/** Plans the conductor of a chain; undefined if the spec has none. */
export function planConductor(context: ChainContext): PlannedPoster | undefined {
  const { name, spec } = context.chain;
  if (spec.conductor === null) return undefined;
  const from = `${name}/conductor`;
  const members = Object.entries(spec.nodes).flatMap(([node, { role }]) => {
    const { el, cl } = taskIds(name, node);
    const url = (task: string, port: string) => urlOf(context.addresses, 'http', from, task, port);
    return role === 'sequencer' ? [`${node}=${url(cl, 'rpc')}=${url(el, 'http')}`] : [];
  });
  const values: ValuesOf<'conductor.members'> = { 'conductor.members': members.join(',') };
  return planPoster({ kind: 'conductor', process: spec.conductor, values }, context);
}

type KeyedKind = 'batcher' | 'proposer' | 'challenger' | 'signer';

/** The key that a process posts with. */
interface PosterKey {
  readonly secret: string;
  readonly file: PlannedFile;
}

function keyOf(kind: KeyedKind, { chain, inputs }: ChainContext): PosterKey {
  const secret = chain.roles[kind === 'signer' ? 'sequencer' : kind].privateKey;
  const path = `${taskFolder(inputs, `${chain.name}/${kind}`)}-key.hex`;
  return { secret, file: { path, mode: 0o600, secret: true, content: { kind: 'text', text: `${secret}\n` } } };
}

interface Poster {
  readonly kind: KeyedKind | 'da-server' | 'conductor';
  readonly process: ProcessSpec;
  readonly values: Values;
  /** Absent: it has none. */
  readonly key?: PosterKey;
  /** Time (ms) between two of its transactions, if that is long. */
  readonly intervalMs?: number;
}

function planPoster({ kind, process, values, key, intervalMs }: Poster, context: ChainContext): PlannedPoster {
  const { chain, files, sequencer, spec, clients, addresses } = context;
  const id = `${chain.name}/${kind}`;
  const template = entryOf(clients, process.client);
  const keyFiles = key === undefined ? [] : [key.file];
  const planned = planTask(
    {
      id,
      chain: chain.name,
      process,
      template,
      values: (from) => ({ ...context.values(from), ...values }),
      overrides: {},
      secrets: key === undefined ? [] : [key.secret],
      needs: needsOf(template, sequencer, entryOf(clients, spec.l1.beacon.client)),
      files: [...files, ...keyFiles],
      onExit: chain.spec.onExit,
      peers: 0,
      ...(intervalMs === undefined ? {} : { intervalMs }),
    },
    context,
  );
  const view = {
    task: id,
    ...(template.ports['rpc'] === undefined ? {} : { rpc: urlOf(addresses, 'http', OUTSIDE, id, 'rpc') }),
  };
  return { ...planned, files: [...keyFiles, ...planned.files], view };
}
