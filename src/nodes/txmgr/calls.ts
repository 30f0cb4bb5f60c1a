import { bytesToHex } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import { TransportError } from '../../rpc/client/client.ts';
import { RpcError } from '../../rpc/error.ts';
import type { Activity } from '../../system/channel/quiesce.ts';
import { Failure } from '../../system/failure.ts';
import type { Logger } from '../../system/program/log.ts';
import type { Inclusion, L1Backend } from './l1-backend.ts';
import type { TxManager } from './txmgr.ts';

/** A call to a contract on L1. */
export interface L1Call {
  readonly to: Hex;
  readonly data: Uint8Array;
  /** wei; absent: none. */
  readonly value?: bigint;
  /** For the log. */
  readonly what: string;
  /** Called when L1 has taken it into its pool. */
  readonly onSent?: () => void;
}

/** What sends calls of one account. */
export interface CallSender {
  readonly l1: L1Backend;
  readonly sender: TxManager;
  /** Idle while a transaction waits for its inclusion, which the sender's own activity covers. */
  readonly activity: Activity;
}

/** Gas margin above the estimate: storage may be warmer or colder at inclusion. */
const GAS_MARGIN = 1.3;

/**
 * Sends calls of one kind in their order, without waiting for one before the next. Returns the inclusion of each;
 * undefined when aborted (op-proposer: `sendTransaction`).
 * @throws Failure if one reverted
 */
export async function sendCalls(
  { l1, sender, activity }: CallSender,
  calls: readonly L1Call[],
  signal: AbortSignal,
  onIncluded: (at: number, inclusion: Inclusion) => void = () => {},
): Promise<readonly (Inclusion | undefined)[]> {
  const [first] = calls;
  if (first === undefined) return [];
  // The estimate fails if the contract would, with its reason: no fee is paid for a call that reverts. Later calls
  // depend on the first, so that only its cost can be estimated.
  const estimate = await l1.estimateGas(sender.address, first.to, bytesToHex(first.data), first.value);
  const gas = Math.ceil(estimate * GAS_MARGIN);
  const sent = calls.map(async (call, at) => {
    const { to, what } = call;
    const inclusion = await sender.send({ ...call, gas }, signal);
    if (inclusion === undefined) return undefined;
    if (!inclusion.success)
      throw new Failure('reverted', `${to} refused ${what} in transaction ${inclusion.hash}`, {
        data: { to, transaction: inclusion.hash },
      });
    onIncluded(at, inclusion);
    return inclusion;
  });
  activity.idle();
  // Nothing of a round is in flight when the next begins: it would send the same calls.
  await Promise.allSettled(sent).finally(() => activity.busy());
  return Promise.all(sent);
}

/** Runs work whose failures are temporary, and warns once per failure in a row. Returns false if it failed. */
export function warnsOnce(log: Logger, message: string, signal: AbortSignal) {
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
