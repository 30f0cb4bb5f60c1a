import type { Hex } from 'viem';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { EXIT, Failure } from '../../../system/failure.ts';
import type { ChainView } from '../../plan/plan.ts';
import { clientFor } from '../../probe/call.ts';
import { TRANSACTION_TIMEOUT_MS } from '../transaction.ts';
import { factoryOf } from './games.ts';

/** A false output that L1 has in its pool. */
export interface FalseOutput {
  readonly block: number;
  readonly root: Hex;
  /** The true output of the block. */
  readonly honestRoot: Hex;
}

/**
 * Tells the proposer of a chain to propose a false output. `block` undefined: the newest safe one.
 * @throws Failure `false-output` if it cannot
 */
export async function proposeFalseOutput(
  chain: ChainView,
  root: Hex,
  block: number | undefined,
  signal?: AbortSignal,
): Promise<FalseOutput> {
  factoryOf(chain);
  const { task, rpc } = chain.proposer ?? {};
  if (task === undefined || rpc === undefined)
    throw new Failure('false-output', `${chain.name} has no proposer that can be called`, { exit: EXIT.usage });
  const params = [{ root, ...(block === undefined ? {} : { block }) }];
  try {
    return await clientFor(rpc).call('devnet_proposeFalseOutput', params, {
      timeoutMs: TRANSACTION_TIMEOUT_MS,
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const isUnknown = error.code === RPC_CODE.methodNotFound;
    throw new Failure('false-output', `${task} proposes no false output: ${error.message}`, {
      ...(isUnknown ? { hint: 'use the proposer of this package, with its option rpc.enable-admin' } : {}),
      cause: error,
    });
  }
}
