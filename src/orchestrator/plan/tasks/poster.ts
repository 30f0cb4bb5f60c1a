import { rulesAt } from '../../../protocol/forks/index.ts';
import type { ProcessSpec } from '../../spec/schema/types.ts';
import type { Values } from '../../template/text.ts';
import { taskFolder } from '../inputs.ts';
import { entryOf } from '../lookup.ts';
import type { ChainView, PlannedFile } from '../plan.ts';
import type { ChainContext } from './context.ts';
import { needsOf } from './needs.ts';
import { type PlannedTask, planTask } from './task.ts';
import { urlOf } from './values.ts';

/** The type of a permissioned dispute game. */
const PERMISSIONED_GAME = 1;

/** A process that posts to L1 for a chain. */
export interface PlannedPoster extends PlannedTask {
  readonly view: NonNullable<ChainView['batcher']>;
}

/** Plans the batcher of a chain; undefined where the spec has none. */
export function planBatcher(context: ChainContext): PlannedPoster | undefined {
  const { chain } = context;
  const { batcher } = chain.spec;
  if (batcher === null) return undefined;
  const batchType = rulesAt(chain.schedule, chain.clock.genesisTime).batches.span ? 1 : 0;
  return planPoster('batcher', batcher, { 'batcher.da': batcher.da, 'batcher.batchType': batchType }, context);
}

/** Plans the proposer of a chain; undefined where the spec has none. */
export function planProposer(context: ChainContext): PlannedPoster | undefined {
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
  { chain, values, files, sequencer, spec, clients, inputs }: ChainContext,
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
  const planned = planTask(
    {
      id,
      chain: chain.name,
      process,
      template,
      values: { ...values, ...extra, [`${kind}.key`]: key, [`${kind}.keyFile`]: keyFile },
      overrides: {},
      secrets: [key],
      needs: needsOf(template, sequencer, entryOf(clients, spec.l1.beacon.client)),
      files: [...files, keyPlanned],
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
  return { ...planned, files: [keyPlanned, ...planned.files], view };
}
