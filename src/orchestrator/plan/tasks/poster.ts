import { rulesAt } from '../../../protocol/forks/index.ts';
import type { ProcessSpec, Spec } from '../../spec/schema/types.ts';
import type { ClientTemplate } from '../../template/template.ts';
import type { Values } from '../../template/text.ts';
import type { PlannedChain } from '../chain/planned-chain.ts';
import type { PlanInputs } from '../inputs.ts';
import { entryOf } from '../lookup.ts';
import type { ChainView, PlannedFile, Task } from '../plan.ts';
import { needsOf } from './needs.ts';
import { planOmissions } from './omissions.ts';
import { buildTask, taskFolder } from './task.ts';
import { urlOf } from './values.ts';

/** The type of a permissioned dispute game. */
const PERMISSIONED_GAME = 1;

/** A process that posts to L1 for a chain. */
export interface PlannedPoster {
  readonly task: Task;
  readonly files: readonly PlannedFile[];
  readonly notices: readonly string[];
  readonly view: NonNullable<ChainView['batcher']>;
}

/** What a chain's batcher and proposer are planned with. */
export interface PosterContext {
  readonly spec: Spec;
  readonly clients: ReadonlyMap<string, ClientTemplate>;
  readonly inputs: PlanInputs;
  readonly chain: PlannedChain;
  /** Values of the chain for templates. */
  readonly values: Values;
  /** Files that exist for all processes of the chain. */
  readonly known: readonly PlannedFile[];
  /** Tasks of the sequencer. */
  readonly sequencer: { readonly el: string; readonly cl: string };
}

/** Plans the batcher of a chain; undefined where the spec has none. */
export function planBatcher(context: PosterContext): PlannedPoster | undefined {
  const { chain } = context;
  const { batcher } = chain.spec;
  if (batcher === null) return undefined;
  const batchType = rulesAt(chain.schedule, chain.clock.genesisTime).batches.span ? 1 : 0;
  return planPoster('batcher', batcher, { 'batcher.da': batcher.da, 'batcher.batchType': batchType }, context);
}

/** Plans the proposer of a chain; undefined where the spec has none. */
export function planProposer(context: PosterContext): PlannedPoster | undefined {
  const { spec, genesis, clock } = context.chain;
  const { proposer } = spec;
  if (proposer === null) return undefined;
  const games = genesis.withdrawals.system === 'dispute-games';
  const interval = games ? proposer.interval : genesis.withdrawals.submissionInterval * clock.blockTime;
  const extra: Values = {
    'proposer.gameInterval': games ? `${proposer.interval}s` : undefined,
    'proposer.gameType': games ? PERMISSIONED_GAME : undefined,
  };
  return planPoster('proposer', proposer, extra, context, interval * 1000);
}

/** `intervalMs`: distance of its transactions where that is long. */
function planPoster(
  kind: 'batcher' | 'proposer',
  process: ProcessSpec,
  extra: Values,
  { chain, values, known, sequencer, spec, clients, inputs }: PosterContext,
  intervalMs?: number,
): PlannedPoster {
  const id = `${chain.name}/${kind}`;
  const template = entryOf(clients, process.client);
  const key = chain.roles[kind].privateKey;
  const keyFile = `${taskFolder(inputs, id)}-key.hex`;
  const keyPlanned: PlannedFile = {
    path: keyFile,
    mode: 0o600,
    secret: true,
    content: { kind: 'text', text: `${key}\n` },
  };
  const own: Values = { ...values, ...extra, [`${kind}.key`]: key, [`${kind}.keyFile`]: keyFile };
  const omitted = planOmissions(id, template, process, own, known, inputs);
  const task = buildTask(
    {
      id,
      chain: chain.name,
      process,
      template,
      values: { ...own, ...omitted.values },
      overrides: {},
      secrets: [key],
      needs: needsOf(template, sequencer, entryOf(clients, spec.l1.beacon.client)),
      files: [...known, keyPlanned, ...omitted.files],
      onExit: chain.spec.onExit,
      peers: 0,
      ...(intervalMs === undefined ? {} : { intervalMs }),
    },
    inputs,
  );
  const view = {
    task: id,
    ...(template.ports['rpc'] === undefined ? {} : { rpc: urlOf(inputs, 'http', id, 'rpc') }),
  };
  return { task, files: [keyPlanned, ...omitted.files], notices: omitted.notices, view };
}
