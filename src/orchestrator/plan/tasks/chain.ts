import { present } from '../../../protocol/present.ts';
import { chainFiles } from '../chain/chain-files.ts';
import { chainView } from '../chain/chain-view.ts';
import type { PlannedChain } from '../chain/planned-chain.ts';
import type { PlanContext } from '../context.ts';
import { entryOf, taskIds } from '../lookup.ts';
import type { ChainView, PlannedFile, Task } from '../plan.ts';
import type { ChainContext } from './context.ts';
import type { PlannedL1 } from './l1.ts';
import { planNode } from './node.ts';
import { identifyNode } from './node-identity.ts';
import { planBatcher, planProposer } from './poster.ts';
import { chainValues } from './values.ts';

/** What a chain adds to a plan. */
export interface ChainParts {
  readonly tasks: readonly Task[];
  readonly files: readonly PlannedFile[];
  readonly view: ChainView;
  readonly notices: readonly string[];
}

/** Plans the nodes of a chain, then its batcher and proposer. */
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
  const nodes = context.nodes.map((identity) => planNode(context, identity));
  const [batcher, proposer] = [planBatcher(context), planProposer(context)];
  const posters = [batcher, proposer].filter((poster) => poster !== undefined);
  const processes = { nodes: nodes.map(({ view }) => view), batcher: batcher?.view, proposer: proposer?.view };
  return {
    tasks: [...nodes.flatMap(({ tasks }) => tasks), ...posters.map(({ task }) => task)],
    files: [...files, ...[...nodes, ...posters].flatMap(({ files }) => files)],
    notices: [...nodes, ...posters].flatMap(({ notices }) => notices),
    view: chainView(chain, inputs, processes),
  };
}

function sequencerOf({ name, spec }: PlannedChain) {
  return present(
    Object.entries(spec.nodes).find(([, { role }]) => role === 'sequencer'),
    `sequencer of ${name}`,
  );
}
