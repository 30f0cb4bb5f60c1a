import type { PoolBehaviour } from '../../pool/behaviour.ts';
import { checkDelegation } from '../../pool/validation/delegation.ts';
import { VALIDATION } from '../../pool/validation/validation.ts';
import type { SignedTransaction } from '../../transaction/transaction.ts';
import { durationText, UNDECODABLE } from '../interface/rpc-errors.ts';
import { checkRustCondition } from './condition.ts';
import { subPoolEviction } from './eviction.ts';
import { poolRpcError } from './pool-errors.ts';
import { FOREIGN_TO_RUST, RUST_SETTINGS, subPoolLimitsFrom } from './pool-settings.ts';

/** The pool of op-reth: `reth-transaction-pool`. */
export const RUST_POOL: PoolBehaviour = {
  defaults: RUST_SETTINGS,
  limitsFrom: subPoolLimitsFrom,
  foreignOptions: { client: 'go', keys: FOREIGN_TO_RUST },
  eviction: subPoolEviction,
  submissionRules: [],
  entryRules: [
    VALIDATION.blockGasLimit,
    VALIDATION.lastNonce,
    VALIDATION.size,
    VALIDATION.initCode,
    VALIDATION.gasOption,
    VALIDATION.tipWithinFeeCap,
    VALIDATION.feeOption,
    VALIDATION.tipOfOthers,
    VALIDATION.chainId,
    VALIDATION.type,
    VALIDATION.authorizations,
    VALIDATION.gas,
    VALIDATION.transactionGasCap,
    VALIDATION.senderCode,
    VALIDATION.nonce,
    VALIDATION.funds,
    VALIDATION.duplicate,
    checkDelegation,
    VALIDATION.accountSlots,
    VALIDATION.feeCap,
  ],
  selectSubPool({ transaction }, overdrawn, head) {
    if (overdrawn || transaction.gasLimit > head.gasLimit) return 'queued';
    return transaction.maxFeePerGas < head.baseFee ? 'basefee' : 'pending';
  },
  dropsAt: () => false,
  outbids(next, old, bump) {
    const least = (price: bigint) => (price * BigInt(100 + bump) + 99n) / 100n;
    if (next.maxFeePerGas < least(old.maxFeePerGas)) return false;
    const [tip, oldTip] = [tipOf(next), tipOf(old)];
    return tip === 0n || oldTip === 0n || tip >= least(oldTip);
  },
  rpcError: poolRpcError,
  unknownType: { code: -32602, message: UNDECODABLE },
  keepsForwarded: true,
  unreachable: -32603,
  receiptTimeouts: { standard: 30_000, most: 30_000 },
  notConfirmed: (hash, timeout) =>
    `Transaction ${hash} was added to the mempool but wasn't confirmed within ${durationText(timeout)}.`,
  checkCondition: checkRustCondition,
  showsPending: true,
  showAddress: (address) => address,
};

/** Returns the tip cap of a dynamic-fee transaction, else 0. */
function tipOf({ type, maxPriorityFeePerGas }: SignedTransaction): bigint {
  return type >= 2 ? maxPriorityFeePerGas : 0n;
}
