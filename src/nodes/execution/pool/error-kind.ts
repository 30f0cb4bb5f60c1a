import type { Hex } from '../../../protocol/types.ts';

/**
 * The reason for a rejection, with the values of its message. Gas, bytes, wei and wei per gas. reth: `PoolErrorKind`.
 */
export type PoolErrorKind =
  | { readonly kind: 'known' }
  | { readonly kind: 'type'; readonly type: number }
  /** Of a blob transaction: its blobs, commitments or proofs. */
  | { readonly kind: 'blobs'; readonly why: string }
  | { readonly kind: 'oversized'; readonly size: number; readonly limit: number }
  | { readonly kind: 'init code'; readonly size: number; readonly limit: number }
  | { readonly kind: 'gas over transaction cap'; readonly gas: bigint; readonly cap: bigint }
  | { readonly kind: 'gas over option'; readonly gas: bigint; readonly limit: bigint }
  | { readonly kind: 'gas over block limit'; readonly gas: bigint; readonly limit: bigint }
  | { readonly kind: 'fee over option'; readonly fee: bigint; readonly cap: bigint }
  | { readonly kind: 'unprotected' }
  | { readonly kind: 'tip over fee cap' }
  | { readonly kind: 'chain id'; readonly have: bigint; readonly want: number }
  | { readonly kind: 'last nonce' }
  | { readonly kind: 'intrinsic gas'; readonly gas: bigint; readonly least: bigint }
  | { readonly kind: 'floor gas'; readonly gas: bigint; readonly least: bigint }
  | { readonly kind: 'tip below option'; readonly tip: bigint; readonly least: bigint }
  | { readonly kind: 'fee cap below option' }
  | { readonly kind: 'no authorizations' }
  | { readonly kind: 'sender has code'; readonly sender: Hex; readonly size: number }
  | { readonly kind: 'nonce too low'; readonly next: bigint; readonly nonce: bigint }
  | { readonly kind: 'funds'; readonly balance: bigint; readonly cost: bigint }
  | { readonly kind: 'funds of all'; readonly balance: bigint; readonly pendingCost: bigint; readonly cost: bigint }
  | { readonly kind: 'funds of bump'; readonly balance: bigint; readonly pendingCost: bigint; readonly bump: bigint }
  | { readonly kind: 'gap of delegated' }
  | { readonly kind: 'second of delegated' }
  | { readonly kind: 'authority reserved' }
  | { readonly kind: 'replacement underpriced' }
  | { readonly kind: 'underpriced' }
  | { readonly kind: 'gapped replaces pending' }
  | { readonly kind: 'account full'; readonly pooled: number }
  | { readonly kind: 'full' };
