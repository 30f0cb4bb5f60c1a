import { bytesToHex } from '../../../../protocol/hex.ts';
import { atLeast } from '../../../../protocol/rules/evm-level.ts';
import { intrinsicGas, MAX_INIT_CODE } from '../../transaction/intrinsic-gas.ts';
import { isDelegation } from '../../transaction/transaction.ts';
import { reject } from '../pool-error.ts';
import type { PoolEntry } from '../pooled-transaction.ts';
import type { PoolSettings } from '../settings.ts';
import type { ValidationRule } from '../validation-rule.ts';

const LAST_NONCE = 2n ** 64n - 1n;

/**
 * The pool's validation rules by name. Each flavour applies them in its own order.
 * geth's counterparts are `ValidateTransaction` and `ValidateTransactionWithState` (core/txpool/validation.go), reth's
 * `EthTransactionValidator`.
 */
export const VALIDATION = {
  duplicate({ entry, lookup }) {
    if (lookup.get(entry.transaction.hash) !== undefined) reject({ kind: 'known' });
  },
  type({ entry: { transaction }, head }) {
    const { type } = transaction;
    if (type === 4 && !atLeast(head.rules.evm, 'prague')) reject({ kind: 'type', type });
    if (type === 3 && !head.rules.ethereum?.blobs) reject({ kind: 'type', type });
  },
  size({ entry: { transaction }, settings }) {
    const size = transaction.raw.length;
    if (size > settings.maxBytes) reject({ kind: 'oversized', size, limit: settings.maxBytes });
  },
  /** EIP-3860 */
  initCode({ entry: { transaction }, head }) {
    const size = transaction.data.length;
    if (transaction.to === null && size > MAX_INIT_CODE && atLeast(head.rules.evm, 'shanghai'))
      reject({ kind: 'init code', size, limit: MAX_INIT_CODE });
  },
  /** EIP-7825 */
  transactionGasCap({ entry: { transaction }, head }) {
    const cap = head.rules.precompiles.transactionGasCap;
    const gas = transaction.gasLimit;
    if (cap !== undefined && gas > BigInt(cap)) reject({ kind: 'gas over transaction cap', gas, cap: BigInt(cap) });
  },
  gasOption({ entry: { transaction }, settings }) {
    const gas = transaction.gasLimit;
    const limit = settings.maxGas;
    if (limit !== undefined && gas > limit) reject({ kind: 'gas over option', gas, limit });
  },
  blockGasLimit({ entry: { transaction }, head }) {
    const gas = transaction.gasLimit;
    const limit = head.gasLimit;
    if (gas > limit) reject({ kind: 'gas over block limit', gas, limit });
  },
  tipWithinFeeCap({ entry: { transaction } }) {
    if (transaction.maxFeePerGas < transaction.maxPriorityFeePerGas) reject({ kind: 'tip over fee cap' });
  },
  chainId({ entry: { transaction }, head }) {
    const { chainId } = transaction;
    if (chainId !== undefined && chainId !== BigInt(head.chainId))
      reject({ kind: 'chain id', have: chainId, want: head.chainId });
  },
  protection({ entry: { transaction }, settings }) {
    if (transaction.chainId === undefined && !settings.allowUnprotected) reject({ kind: 'unprotected' });
  },
  /** EIP-2681 */
  lastNonce({ entry: { transaction } }) {
    if (transaction.nonce === LAST_NONCE) reject({ kind: 'last nonce' });
  },
  /** EIP-2, 2028, 2930, 3860, 7623 and 7702 */
  gas({ entry: { transaction }, head }) {
    const { gas, floor } = intrinsicGas(head.rules.evm, transaction);
    const { gasLimit } = transaction;
    if (gasLimit < gas) reject({ kind: 'intrinsic gas', gas: gasLimit, least: gas });
    if (gasLimit < floor) reject({ kind: 'floor gas', gas: gasLimit, least: floor });
  },
  tip({ entry: { transaction }, settings }) {
    const tip = transaction.maxPriorityFeePerGas;
    if (tip < settings.minTip) reject({ kind: 'tip below option', tip, least: settings.minTip });
  },
  tipOfOthers(entering) {
    if (!isPrivileged(entering.entry, entering.settings) && entering.entry.transaction.type >= 2)
      VALIDATION.tip(entering);
  },
  feeCap({ entry: { transaction }, settings }) {
    if (transaction.maxFeePerGas < settings.minFeeCap) reject({ kind: 'fee cap below option' });
  },
  feeOption({ entry: { transaction, local }, settings }) {
    const fee = transaction.gasLimit * transaction.maxFeePerGas;
    if (local && settings.feeCap > 0n && fee > settings.feeCap)
      reject({ kind: 'fee over option', fee, cap: settings.feeCap });
  },
  authorizations({ entry: { transaction } }) {
    if (transaction.type === 4 && transaction.authorizationList.length === 0) reject({ kind: 'no authorizations' });
  },
  /** EIP-3607, and EIP-7702's exception */
  senderCode({ entry: { transaction }, head }) {
    const code = head.code(transaction.sender);
    if (code.length === 0 || (isDelegation(code) && atLeast(head.rules.evm, 'prague'))) return;
    reject({ kind: 'sender has code', sender: bytesToHex(transaction.sender), size: code.length });
  },
  nonce({ entry: { transaction }, head }) {
    const next = head.nonce(transaction.sender);
    const { nonce } = transaction;
    if (nonce < next) reject({ kind: 'nonce too low', next, nonce });
  },
  funds({ entry: { transaction, cost }, head }) {
    const balance = head.balance(transaction.sender);
    if (balance < cost) reject({ kind: 'funds', balance, cost });
  },
  /** The balance must cover all pending transactions of the sender. */
  fundsOfAll({ entry, head, lookup }) {
    const queue = lookup.accounts.get(entry.key);
    if (queue === undefined) return;
    const balance = head.balance(entry.transaction.sender);
    const pendingCost = queue.pendingCost;
    const old = queue.find(entry.transaction.nonce);
    if (old?.subPool === 'pending') {
      const bump = entry.cost - old.cost;
      if (balance < pendingCost + bump) reject({ kind: 'funds of bump', balance, pendingCost: pendingCost, bump });
    } else if (balance < pendingCost + entry.cost)
      reject({ kind: 'funds of all', balance, pendingCost: pendingCost, cost: entry.cost });
  },
  accountSlots({ entry, head, settings, lookup }) {
    const { limits } = settings;
    if (limits.kind !== 'subpools' || isPrivileged(entry, settings)) return;
    const { nonce, sender } = entry.transaction;
    const pooled = lookup.accounts.get(entry.key)?.size ?? 0;
    if (pooled >= limits.accountSlots && nonce > head.nonce(sender)) reject({ kind: 'account full', pooled });
  },
} as const satisfies Record<string, ValidationRule>;

/** Whether a transaction has a local user's privileges. */
export function isPrivileged({ local, key }: PoolEntry, { noLocals, locals }: PoolSettings): boolean {
  return !noLocals && (local || locals.has(key));
}
