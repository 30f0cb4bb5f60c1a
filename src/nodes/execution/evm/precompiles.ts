import type { Precompile } from '../../../evm/machine/state.ts';
import { activePrecompiles } from '../../../evm/precompiles/active.ts';
import type { PointVerifier, PrecompileLibraries } from '../../../evm/precompiles/precompile.ts';
import { u256be } from '../../../protocol/bytes.ts';
import type { Rules } from '../../../protocol/rules/rules.ts';
import type { Hex } from '../../../protocol/types.ts';
import { recoverPublicKey } from '../../crypto/secp256k1.ts';
import { loadKzgVerifier } from '../../kzg/kzg.ts';

let pointVerifier: PointVerifier | undefined;

/** The large setup of the point evaluation is loaded at its first call. */
const LIBRARIES: PrecompileLibraries = {
  recoverPublicKey,
  pointVerifier: () =>
    pointVerifier ??
    loadKzgVerifier().then(({ verifyPoint }) => {
      pointVerifier = verifyPoint;
      return verifyPoint;
    }),
};

const byRules = new WeakMap<Rules, ReadonlyMap<Hex, Precompile>>();

/** Returns every precompile under the rules, by address (geth: `ActivePrecompiles`). */
export function rulePrecompiles(rules: Rules): ReadonlyMap<Hex, Precompile> {
  let precompiles = byRules.get(rules);
  if (precompiles === undefined) {
    precompiles = activePrecompiles(rules, LIBRARIES);
    byRules.set(rules, precompiles);
  }
  return precompiles;
}

/** Addresses that are warm from the start of each transaction, and as words of our EVM (EIP-2929). */
export interface WarmPrecompiles {
  readonly addresses: ReadonlySet<Hex>;
  readonly words: readonly Uint8Array[];
}

const warmByRules = new WeakMap<Rules, WarmPrecompiles>();

/** Returns the addresses of the rules' precompiles, which overrides do not change. */
export function warmPrecompiles(rules: Rules): WarmPrecompiles {
  let warm = warmByRules.get(rules);
  if (warm === undefined) {
    const addresses = new Set(rulePrecompiles(rules).keys());
    warm = { addresses, words: [...addresses].map((address) => u256be(BigInt(address)).reverse()) };
    warmByRules.set(rules, warm);
  }
  return warm;
}
