import { bytesToHex, quantity } from '../../protocol/hex.ts';
import type { Hex, L2BlockRef } from '../../protocol/types.ts';
import { type RpcClient, TransportError } from '../../rpc/client.ts';
import { RpcError } from '../../rpc/error.ts';
import { type Activity, type Clock, rest } from '../../system/clock.ts';
import { Failure } from '../../system/failure.ts';
import type { Logger } from '../../system/log.ts';
import type { L1Backend } from '../shared/txmgr/l1-backend.ts';
import type { SyncStatus } from '../shared/txmgr/sync-status.ts';
import type { TxManager } from '../shared/txmgr/txmgr.ts';
import type { L1Call, ProposalTarget } from './proposal-target.ts';

/** Clients of the proposer (op-proposer: `DriverSetup`). */
export interface ProposerDeps {
  readonly l1: L1Backend;
  readonly node: RpcClient;
  readonly outputs: ProposalTarget;
  readonly sender: TxManager;
  readonly clock: Clock;
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

interface Parts extends ProposerDeps {
  /** Idle while a transaction waits for its inclusion, which the sender's own activity covers. */
  readonly activity: Activity;
}

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
      const proposal = await nextProposal(parts, config);
      if (proposal !== undefined) await submit(parts, proposal, signal);
      return proposal !== undefined;
    });
    await keeping(async () => {
      const call = await parts.outputs.upkeep();
      const l1 = call === undefined ? undefined : await sendCall(parts, call, signal);
      if (l1 !== undefined) parts.log.info('Saw to earlier proposals', { what: call?.what, l1 });
      return call !== undefined;
    });
    if (!proposed) await rest(parts.clock, activity, config.pollInterval, signal);
  }
  activity.idle();
}

/** Runs work whose failures are temporary, and warns once per failure in a row. Returns false where it failed. */
function warnsOnce(log: Logger, message: string, signal: AbortSignal) {
  let warned: string | undefined;
  return async (work: () => Promise<boolean>): Promise<boolean> => {
    try {
      if (signal.aborted) return false;
      const done = await work();
      if (done) warned = undefined;
      return done;
    } catch (error) {
      if (signal.aborted) return false;
      if (!(error instanceof TransportError || error instanceof RpcError || error instanceof Failure)) throw error;
      if (warned !== error.message) log.warn(message, { error });
      warned = error.message;
      return false;
    }
  };
}

/**
 * Returns the next output once its block is final enough; undefined before (op-proposer: `FetchOutput`).
 * @throws Failure where the rollup node answers another block
 */
async function nextProposal(
  { node, outputs }: Pick<ProposerDeps, 'node' | 'outputs'>,
  { allowNonFinalized }: Pick<ProposerConfig, 'allowNonFinalized'>,
): Promise<Proposal | undefined> {
  const status = await node.call<SyncStatus>('optimism_syncStatus');
  const next = await outputs.nextBlock((allowNonFinalized ? status.safe_l2 : status.finalized_l2).number);
  if (next === undefined) return undefined;
  const output = await node.call<Output>('optimism_outputAtBlock', [quantity(next)]);
  if (output.blockRef.number !== next || !/^0x0{64}$/.test(output.version))
    throw new Failure(
      'output',
      `the rollup node answered the output of block ${output.blockRef.number}, asked was ${next}`,
      {
        data: { asked: next, found: output.blockRef.number, version: output.version },
      },
    );
  const { outputRoot } = output;
  const { hash, number } = output.syncStatus.current_l1;
  return { outputRoot, l2BlockNumber: next, call: outputs.proposal(outputRoot, next, { hash, number }) };
}

async function submit(parts: Parts, proposal: Proposal, signal: AbortSignal): Promise<void> {
  const { l2BlockNumber: block, outputRoot } = proposal;
  const l1 = await sendCall(parts, proposal.call, signal);
  if (l1 !== undefined) parts.log.info('Proposed an output', { block, outputRoot, l1 });
}

/**
 * Sends a call and returns the L1 block that includes it; undefined when aborted (op-proposer: `sendTransaction`).
 * @throws Failure where it reverted
 */
async function sendCall(
  { l1, sender, activity }: Parts,
  call: L1Call,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { to, data, what } = call;
  // The estimate fails where the contract would, with its reason: no fee is paid for a call that reverts.
  const estimate = await l1.estimateGas(sender.address, to, bytesToHex(data));
  const sent = sender.send({ to, data, gas: Math.ceil(estimate * GAS_MARGIN), what }, signal);
  activity.idle();
  const inclusion = await sent.finally(() => activity.busy());
  if (inclusion === undefined || inclusion.success) return inclusion?.blockNumber;
  throw new Failure('reverted', `${to} refused ${what} in transaction ${inclusion.hash}`, {
    data: { to, transaction: inclusion.hash },
  });
}

/** Gas margin above the estimate: storage may be warmer or colder at inclusion. */
const GAS_MARGIN = 1.3;
