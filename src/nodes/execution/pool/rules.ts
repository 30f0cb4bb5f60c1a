import { bytesToHex } from '../../../protocol/hex.ts';
import { atLeast, intrinsicGas, MAX_INIT_CODE } from '../transaction/intrinsic-gas.ts';
import { isDelegation } from '../transaction/transaction.ts';
import type { Contents } from './contents.ts';
import type { PoolEntry } from './entry.ts';
import { refuse } from './refusal.ts';
import type { PoolSettings } from './settings.ts';
import type { PoolView } from './view.ts';

/** What a check may look at. */
export interface Entering {
  readonly entry: PoolEntry;
  readonly view: PoolView;
  readonly settings: PoolSettings;
  readonly contents: Contents;
}

/** One rule that a transaction must satisfy to enter the pool. @throws PoolRefusal */
export type Check = (entering: Entering) => void;

const LAST_NONCE = 2n ** 64n - 1n;

/** The pool's rules by name; each flavour has an order of its own in which they are told. */
export const CHECK = {
  known({ entry, contents }) {
    if (contents.get(entry.transaction.hash) !== undefined) refuse({ kind: 'known' });
  },
  type({ entry: { transaction }, view }) {
    const { type } = transaction;
    if (type === 4 && !atLeast(view.rules.evm, 'prague')) refuse({ kind: 'type', type });
  },
  size({ entry: { transaction }, settings }) {
    const size = transaction.raw.length;
    if (size > settings.maxBytes) refuse({ kind: 'oversized', size, limit: settings.maxBytes });
  },
  /** EIP-3860 */
  initCode({ entry: { transaction }, view }) {
    const size = transaction.data.length;
    if (transaction.to === null && size > MAX_INIT_CODE && atLeast(view.rules.evm, 'shanghai'))
      refuse({ kind: 'init code', size, limit: MAX_INIT_CODE });
  },
  /** EIP-7825 */
  transactionGasCap({ entry: { transaction }, view }) {
    const cap = view.rules.precompiles.transactionGasCap;
    const gas = transaction.gasLimit;
    if (cap !== undefined && gas > BigInt(cap)) refuse({ kind: 'gas over transaction cap', gas, cap: BigInt(cap) });
  },
  gasOption({ entry: { transaction }, settings }) {
    const gas = transaction.gasLimit;
    const limit = settings.maxGas;
    if (limit !== undefined && gas > limit) refuse({ kind: 'gas over option', gas, limit });
  },
  blockGasLimit({ entry: { transaction }, view }) {
    const gas = transaction.gasLimit;
    const limit = view.gasLimit;
    if (gas > limit) refuse({ kind: 'gas over block limit', gas, limit });
  },
  tipWithinFeeCap({ entry: { transaction } }) {
    if (transaction.maxFeePerGas < transaction.maxPriorityFeePerGas) refuse({ kind: 'tip over fee cap' });
  },
  chainId({ entry: { transaction }, view }) {
    const { chainId } = transaction;
    if (chainId !== undefined && chainId !== BigInt(view.chainId))
      refuse({ kind: 'chain id', have: chainId, want: view.chainId });
  },
  protection({ entry: { transaction }, settings }) {
    if (transaction.chainId === undefined && !settings.allowUnprotected) refuse({ kind: 'unprotected' });
  },
  /** EIP-2681 */
  lastNonce({ entry: { transaction } }) {
    if (transaction.nonce === LAST_NONCE) refuse({ kind: 'last nonce' });
  },
  /** EIP-2, 2028, 2930, 3860, 7623 and 7702 */
  gas({ entry: { transaction }, view }) {
    const { gas, floor } = intrinsicGas(view.rules.evm, transaction);
    const { gasLimit } = transaction;
    if (gasLimit < gas) refuse({ kind: 'intrinsic gas', gas: gasLimit, least: gas });
    if (gasLimit < floor) refuse({ kind: 'floor gas', gas: gasLimit, least: floor });
  },
  tip({ entry: { transaction }, settings }) {
    const tip = transaction.maxPriorityFeePerGas;
    if (tip < settings.minTip) refuse({ kind: 'tip below option', tip, least: settings.minTip });
  },
  tipOfOthers(entering) {
    if (!isPrivileged(entering.entry, entering.settings) && entering.entry.transaction.type >= 2) CHECK.tip(entering);
  },
  feeCap({ entry: { transaction }, settings }) {
    if (transaction.maxFeePerGas < settings.minFeeCap) refuse({ kind: 'fee cap below option' });
  },
  feeOption({ entry: { transaction, local }, settings }) {
    const fee = transaction.gasLimit * transaction.maxFeePerGas;
    if (local && settings.feeCap > 0n && fee > settings.feeCap)
      refuse({ kind: 'fee over option', fee, cap: settings.feeCap });
  },
  authorizations({ entry: { transaction } }) {
    if (transaction.type === 4 && transaction.authorizationList.length === 0) refuse({ kind: 'no authorizations' });
  },
  /** EIP-3607, and EIP-7702's exception */
  senderCode({ entry: { transaction }, view }) {
    const code = view.code(transaction.sender);
    if (code.length === 0 || (isDelegation(code) && atLeast(view.rules.evm, 'prague'))) return;
    refuse({ kind: 'sender has code', sender: bytesToHex(transaction.sender), size: code.length });
  },
  nonce({ entry: { transaction }, view }) {
    const next = view.nonce(transaction.sender);
    const { nonce } = transaction;
    if (nonce < next) refuse({ kind: 'nonce too low', next, nonce });
  },
  funds({ entry: { transaction, cost }, view }) {
    const balance = view.balance(transaction.sender);
    if (balance < cost) refuse({ kind: 'funds', balance, cost });
  },
  /** All pending ones of the sender together must be affordable. */
  fundsOfAll({ entry, view, contents }) {
    const queue = contents.senders.get(entry.key);
    if (queue === undefined) return;
    const balance = view.balance(entry.transaction.sender);
    const spent = queue.pendingCost;
    const old = queue.find(entry.transaction.nonce);
    if (old?.place === 'pending') {
      const bump = entry.cost - old.cost;
      if (balance < spent + bump) refuse({ kind: 'funds of bump', balance, spent, bump });
    } else if (balance < spent + entry.cost) refuse({ kind: 'funds of all', balance, spent, cost: entry.cost });
  },
  accountSlots({ entry, view, settings, contents }) {
    const { limits } = settings;
    if (limits.kind !== 'subpools' || isPrivileged(entry, settings)) return;
    const { nonce, sender } = entry.transaction;
    const pooled = contents.senders.get(entry.key)?.size ?? 0;
    if (pooled >= limits.accountSlots && nonce > view.nonce(sender)) refuse({ kind: 'account full', pooled });
  },
} as const satisfies Record<string, Check>;

/** Whether a transaction has the privileges of this node's users. */
export function isPrivileged({ local, key }: PoolEntry, { noLocals, locals }: PoolSettings): boolean {
  return !noLocals && (local || locals.has(key));
}
