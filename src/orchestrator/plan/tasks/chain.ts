import { present } from '../../../protocol/present.ts';
import type { Values } from '../../template/text.ts';
import { chainFiles } from '../chain/chain-files.ts';
import { chainView } from '../chain/chain-view.ts';
import type { PlannedChain } from '../chain/planned-chain.ts';
import type { PlanContext } from '../context.ts';
import type { ChainView, PlannedFile, Task } from '../plan.ts';
import type { PlannedL1 } from './l1.ts';
import { identifyNode, planNode } from './node.ts';
import { planBatcher, planProposer } from './poster.ts';
import { chainValues, urlOf } from './values.ts';

/** What a chain adds to a plan. */
export interface ChainParts {
  readonly tasks: readonly Task[];
  readonly files: readonly PlannedFile[];
  readonly view: ChainView;
  readonly notices: readonly string[];
}

/** Plans the nodes of a chain, then its batcher and proposer. */
export function planChain(chain: PlannedChain, context: PlanContext, l1: PlannedL1): ChainParts {
  const { spec, clients, inputs } = context;
  const names = Object.keys(chain.spec.nodes);
  const found = Object.entries(chain.spec.nodes).find(([, { role }]) => role === 'sequencer');
  const [name, { el }] = present(found, `sequencer of ${chain.name}`);
  const { external } = el;
  const sequencer = { el: `${chain.name}/${name}/el`, cl: `${chain.name}/${name}/cl` };
  const values: Values = {
    ...l1.values,
    ...chainValues(chain, {
      http: external?.http ?? urlOf(inputs, 'http', sequencer.el, 'http'),
      ws: external?.ws ?? urlOf(inputs, 'ws', sequencer.el, 'ws'),
      rpc: urlOf(inputs, 'http', sequencer.cl, 'rpc'),
    }),
  };
  const identities = names.map((node) => identifyNode(spec, chain, node, clients, inputs));
  const own = chainFiles(chain, inputs);
  const known = [...l1.shared, ...own];
  const nodes = identities.map((identity) =>
    planNode(spec, chain, identity, identities, clients, inputs, values, known),
  );
  const posting = { ...context, chain, values, known, sequencer };
  const [batcher, proposer] = [planBatcher(posting), planProposer(posting)];
  const posters = [batcher, proposer].filter((poster) => poster !== undefined);
  const processes = { nodes: nodes.map(({ view }) => view), batcher: batcher?.view, proposer: proposer?.view };
  return {
    tasks: [...nodes.flatMap(({ tasks }) => tasks), ...posters.map(({ task }) => task)],
    files: [...own, ...[...nodes, ...posters].flatMap(({ files }) => files)],
    notices: [...nodes, ...posters].flatMap(({ notices }) => notices),
    view: chainView(chain, inputs, processes),
  };
}
