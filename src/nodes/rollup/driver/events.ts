import type { L1BlockRef, L2BlockRef } from '../../../protocol/types.ts';
import type { Heads } from '../engine/forkchoice.ts';
import type { L1Label } from '../l1/client.ts';

/** What moved in the driver, told as it happens to whoever keeps a record of it. */
export type DriverEvent =
  | { readonly kind: 'l1'; readonly label: L1Label }
  /** The engine took other heads. */
  | { readonly kind: 'heads'; readonly heads: Heads }
  /** The heads are to be found anew. */
  | { readonly kind: 'reset'; readonly reason: string }
  /** All L1 data up to `origin` was read, and left `head` as the safe head. */
  | { readonly kind: 'exhausted'; readonly origin: L1BlockRef; readonly head: L2BlockRef };
