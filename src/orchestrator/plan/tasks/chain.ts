import { rulesAt } from '../../../protocol/forks/index.ts';
import { present } from '../../../protocol/present.ts';
import type { ReferencesOf, ValuesOf } from '../../template/references.ts';
import { chainFiles } from '../chain/chain-files.ts';
import { chainView } from '../chain/chain-view.ts';
import type { PlannedChain } from '../chain/planned-chain.ts';
import type { PlanContext } from '../context.ts';
import { entryOf, taskIds } from '../lookup.ts';
import type { ChainView, PlannedFile, Task } from '../plan.ts';
import { planConductor, planMembers } from './conductor.ts';
import type { ChainContext } from './context.ts';
import type { PlannedL1 } from './l1.ts';
import { type PlannedNode, planNode } from './node.ts';
import { identifyNode } from './node-identity.ts';
import { keyOf, type PlannedPoster, planPoster } from './poster.ts';
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
  const members = planMembers(context);
  const nodes = context.nodes.map((identity) => {
    return withConductor(planNode(context, identity), members.get(identity.name));
  });
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

/** Adds the conductor of a sequencer to its node. */
function withConductor(
  { tasks, files, notices, view }: PlannedNode,
  conductor: PlannedPoster | undefined,
): PlannedNode {
  if (conductor === undefined) return { tasks, files, notices, view };
  return {
    tasks: [...tasks, conductor.task],
    files: [...files, ...conductor.files],
    notices: [...notices, ...conductor.notices],
    view: { ...view, conductor: conductor.view },
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
