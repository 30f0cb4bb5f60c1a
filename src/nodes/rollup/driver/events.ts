import type { L1BlockRef, L2BlockRef } from '../../../protocol/types.ts';
import type { Heads } from '../engine/forkchoice.ts';
import type { L1Label } from '../l1/client.ts';

/** An event of the driver, for its listeners. */
export type DriverEvent =
  | { readonly kind: 'l1'; readonly label: L1Label }
  /** The engine accepted new heads. */
  | { readonly kind: 'heads'; readonly heads: Heads }
  /** An engine reset was requested. */
  | { readonly kind: 'reset'; readonly reason: string }
  /** The L1 data up to `origin` is exhausted; `head` is the safe head. */
  | { readonly kind: 'exhausted'; readonly origin: L1BlockRef; readonly head: L2BlockRef };
