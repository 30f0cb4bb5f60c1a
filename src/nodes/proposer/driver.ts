import { quantity } from '../../protocol/hex.ts';
import { present } from '../../protocol/present.ts';
import type { Hex, L2BlockRef } from '../../protocol/types.ts';
import type { RpcClient } from '../../rpc/client/client.ts';
import { type Quiesce, rest } from '../../system/channel/quiesce.ts';
import { Failure } from '../../system/failure.ts';
import type { Logger } from '../../system/program/log.ts';
import type { Clock } from '../../system/time/clock.ts';
import { type CallSender, type L1Call, sendCalls, warnsOnce } from '../txmgr/calls.ts';
import type { L1Backend } from '../txmgr/l1-backend.ts';
import type { SyncStatus } from '../txmgr/sync-status.ts';
import type { TxManager } from '../txmgr/txmgr.ts';
import type { ProposalTarget } from './proposal-target.ts';

/** Clients of the proposer (op-proposer: `DriverSetup`). */
export interface ProposerDeps {
  readonly l1: L1Backend;
  readonly node: RpcClient;
  readonly outputs: ProposalTarget;
  readonly sender: TxManager;
  readonly clock: Clock & Quiesce;
  readonly log: Logger;
}

/** Settings of the proposer (op-proposer: `ProposerConfig`). */
export interface ProposerConfig {
  readonly allowNonFinalized: boolean;
  /** Milliseconds of the clock. */
  readonly pollInterval: number;
}

interface Output {
  readonly version: Hex;
  readonly outputRoot: Hex;
  readonly blockRef: L2BlockRef;
  readonly syncStatus: SyncStatus;
}

type Parts = ProposerDeps & CallSender;

/** The next proposal. */
interface Proposal {
  readonly outputRoot: Hex;
  readonly l2BlockNumber: number;
  readonly call: L1Call;
}

/** Proposes outputs and maintains earlier proposals until aborted (op-proposer: `L2OutputSubmitter`). */
export async function runProposer(deps: ProposerDeps, config: ProposerConfig, signal: AbortSignal): Promise<void> {
  const activity = deps.clock.activity();
  const parts = { ...deps, activity };
  activity.busy();
  const proposing = warnsOnce(parts.log, 'Cannot propose now', signal);
  const keeping = warnsOnce(parts.log, 'Cannot see to earlier proposals now', signal);
  while (!signal.aborted) {
    const proposed = await proposing(async () => {
      const proposals = await nextProposals(parts, config);
      await submit(parts, proposals, signal);
      return proposals.length > 0;
    });
    await keeping(async () => {
      const call = await parts.outputs.upkeep();
      if (call === undefined) return false;
      const [inclusion] = await sendCalls(parts, [call], signal);
      if (inclusion !== undefined)
        parts.log.info('Saw to earlier proposals', { what: call.what, l1: inclusion.blockNumber });
      return true;
    });
    if (!proposed) await rest(parts.clock, activity, config.pollInterval, signal);
  }
  activity.idle();
}

/** Returns the next outputs whose blocks are final enough, in their order (op-proposer: `FetchOutput`). */
async function nextProposals(
  { node, outputs }: Pick<ProposerDeps, 'node' | 'outputs'>,
  { allowNonFinalized }: Pick<ProposerConfig, 'allowNonFinalized'>,
): Promise<readonly Proposal[]> {
  const status = await node.call<SyncStatus>('optimism_syncStatus');
  const blocks = await outputs.nextBlocks((allowNonFinalized ? status.safe_l2 : status.finalized_l2).number);
  return Promise.all(blocks.map((block) => proposalOf(node, outputs, block)));
}

/** @throws Failure if the rollup node answers another block */
async function proposalOf(node: RpcClient, outputs: ProposalTarget, block: number): Promise<Proposal> {
  const output = await node.call<Output>('optimism_outputAtBlock', [quantity(block)]);
  if (output.blockRef.number !== block || !/^0x0{64}$/.test(output.version))
    throw new Failure(
      'output',
      `the rollup node answered the output of block ${output.blockRef.number}, asked was ${block}`,
      {
        data: { asked: block, found: output.blockRef.number, version: output.version },
      },
    );
  const { outputRoot } = output;
  const { hash, number } = output.syncStatus.current_l1;
  return { outputRoot, l2BlockNumber: block, call: outputs.proposal(outputRoot, block, { hash, number }) };
}

async function submit(parts: Parts, proposals: readonly Proposal[], signal: AbortSignal): Promise<void> {
  const calls = proposals.map(({ call }) => call);
  await sendCalls(parts, calls, signal, (at, { blockNumber: l1 }) => {
    const { l2BlockNumber: block, outputRoot } = present(proposals[at], 'proposal');
    parts.log.info('Proposed an output', { block, outputRoot, l1 });
  });
}
