import { bytesToHex, quantity } from '../../protocol/hex.ts';
import type { BlockId, Hex, L2BlockRef } from '../../protocol/types.ts';
import { type RpcClient, TransportError } from '../../rpc/client.ts';
import { RpcError } from '../../rpc/error.ts';
import { Failure } from '../../system/failure.ts';
import type { Logger } from '../../system/log.ts';
import { pause } from '../../system/pause.ts';
import type { L1 } from '../l1-sender/l1.ts';
import type { L1Sender } from '../l1-sender/sender.ts';
import type { SyncStatus } from '../l1-sender/sync-status.ts';
import { type Oracle, proposalData } from './oracle.ts';

export interface ProposerParts {
  readonly l1: L1;
  readonly node: RpcClient;
  readonly oracle: Oracle;
  readonly sender: L1Sender;
  readonly log: Logger;
}

export interface ProposerConfig {
  readonly allowNonFinalized: boolean;
  /** ms */
  readonly pollInterval: number;
}

interface Output {
  readonly version: Hex;
  readonly outputRoot: Hex;
  readonly blockRef: L2BlockRef;
  readonly syncStatus: SyncStatus;
}

/** What is proposed next. */
interface Proposal {
  readonly outputRoot: Hex;
  readonly l2BlockNumber: number;
  readonly l1: BlockId;
}

/** Proposes outputs, one after another, until aborted. */
export async function propose(parts: ProposerParts, config: ProposerConfig, signal: AbortSignal): Promise<void> {
  const { log } = parts;
  let waiting: string | undefined;
  while (!signal.aborted) {
    try {
      const proposal = await nextProposal(parts, config);
      if (proposal !== undefined) {
        await submit(parts, proposal, signal);
        waiting = undefined;
        continue;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof TransportError || error instanceof RpcError || error instanceof Failure)) throw error;
      if (waiting !== error.message) log.warn('Cannot propose now', { error });
      waiting = error.message;
    }
    await pause(config.pollInterval, signal);
  }
}

/** The oracle's next output, once its block is final enough; undefined before. @throws Error where the rollup node answers another block */
async function nextProposal(
  { node, oracle }: Pick<ProposerParts, 'node' | 'oracle'>,
  { allowNonFinalized }: Pick<ProposerConfig, 'allowNonFinalized'>,
): Promise<Proposal | undefined> {
  const [next, status] = await Promise.all([oracle.nextBlockNumber(), node.call<SyncStatus>('optimism_syncStatus')]);
  const head = allowNonFinalized ? status.safe_l2 : status.finalized_l2;
  if (head.number < next) return undefined;
  const output = await node.call<Output>('optimism_outputAtBlock', [quantity(next)]);
  if (output.blockRef.number !== next || !/^0x0{64}$/.test(output.version))
    throw new Failure(
      'output',
      `the rollup node answered the output of block ${output.blockRef.number}, asked was ${next}`,
      {
        data: { asked: next, found: output.blockRef.number, version: output.version },
      },
    );
  const { hash, number } = output.syncStatus.current_l1;
  return { outputRoot: output.outputRoot, l2BlockNumber: next, l1: { hash, number } };
}

async function submit(
  { l1, oracle, sender, log }: ProposerParts,
  proposal: Proposal,
  signal: AbortSignal,
): Promise<void> {
  const { outputRoot, l2BlockNumber } = proposal;
  const data = proposalData(outputRoot, l2BlockNumber, proposal.l1);
  // Fails where the contract would, with its reason: nothing is paid for a proposal that cannot stand.
  const estimate = await l1.estimateGas(sender.address, oracle.address, bytesToHex(data));
  const what = `the output of block ${l2BlockNumber}`;
  const gas = Math.ceil(estimate * GAS_MARGIN);
  const inclusion = await sender.send({ to: oracle.address, data, gas, what }, signal);
  if (inclusion === undefined) return;
  if (inclusion.success)
    log.info('Proposed an output', { block: l2BlockNumber, outputRoot, l1: inclusion.blockNumber });
  else
    throw new Failure('reverted', `the oracle refused ${what} in transaction ${inclusion.hash}`, {
      data: { block: l2BlockNumber, transaction: inclusion.hash },
    });
}

/** Gas given above the estimate: storage may be warmer or colder at inclusion. */
const GAS_MARGIN = 1.3;
