import { ZERO_HASH } from '../../../protocol/execution/constants.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { Chain } from '../chain/chain.ts';
import { engineError } from './errors.ts';

/**
 * A forkchoice (specification: Engine API, ForkchoiceStateV1; geth: `ForkchoiceStateV1`). A zero hash names no block.
 */
export interface ForkchoiceState {
  readonly headBlockHash: Hex;
  readonly safeBlockHash: Hex;
  readonly finalizedBlockHash: Hex;
}

/**
 * Returns the labels of a forkchoice whose head is known (reth: `ensure_consistent_forkchoice_state`).
 * @throws RpcError -38002 if a labelled block is unknown or not an ancestor of the head
 */
export function labelsOf(
  chain: Chain,
  { headBlockHash: head, safeBlockHash: safe, finalizedBlockHash: finalized }: ForkchoiceState,
): { readonly safe?: Hex; readonly finalized?: Hex } {
  return {
    ...(finalized === ZERO_HASH ? {} : { finalized: checked(chain, 'finalized', finalized, head) }),
    ...(safe === ZERO_HASH ? {} : { safe: checked(chain, 'safe', safe, head) }),
  };
}

function checked(chain: Chain, name: string, hash: Hex, head: Hex): Hex {
  const header = chain.header(hash);
  if (header === undefined) throw engineError('invalidForkchoiceState', `${name} block ${hash} is not known`);
  if (!isAncestor(chain, hash, header.number, head))
    throw engineError('invalidForkchoiceState', `${name} block ${hash} is not an ancestor of the head ${head}`);
  return hash;
}

/**
 * Returns whether a block is an ancestor of `head` or `head` itself.
 * Canonical blocks are compared by number, others are walked by hash.
 */
function isAncestor(chain: Chain, hash: Hex, number: number, head: Hex): boolean {
  let at = head;
  for (let header = chain.knownHeader(at); header.number > number; header = chain.knownHeader(at)) {
    if (chain.canonicalHash(header.number) === at) return chain.canonicalHash(number) === hash;
    at = header.parentHash;
  }
  return at === hash;
}
