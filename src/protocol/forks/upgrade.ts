import { encodeDeposit } from '../codec/deposit.ts';
import { upgradeSourceHash } from '../codec/source-hash.ts';
import { ProtocolError } from '../errors.ts';
import { bytesToHex } from '../hex.ts';
import type { Hex, UpgradeBundle } from '../types.ts';
import type { Fork } from './fork.ts';

/** Upgrade bundles by fork name. */
export type UpgradeBundles = Readonly<Partial<Record<string, UpgradeBundle>>>;

/**
 * Returns the encoded upgrade deposits of forks that activate in one block, in order.
 * Counterparts: `UpgradeTransactions`, `toDepositTransactions` (op-node), `Hardfork::txs` (kona). Specification:
 * Network upgrade automation transactions.
 * @throws ProtocolError bundle-missing
 */
export function upgradeDeposits(activating: readonly Fork[], bundles: UpgradeBundles): Hex[] {
  return activating.flatMap((fork) => {
    if (fork.upgrade === null) return [];
    const { qualifiedIntents } = fork.upgrade;
    return bundleOf(fork, bundles).transactions.map(({ intent, from, to, gasLimit, data }, index) => {
      const sourceHash = upgradeSourceHash(qualifiedIntents ? `${fork.label} ${index}: ${intent}` : intent);
      const deposit = { sourceHash, from, to, mint: 0n, value: 0n, gas: gasLimit, isSystemTransaction: false, data };
      return bytesToHex(encodeDeposit(deposit));
    });
  });
}

/**
 * Returns the gas that activating forks add to the gas limit of their block (op-node: `UpgradeGas`, kona:
 * `upgrade_gas`).
 * @throws ProtocolError bundle-missing
 */
export function upgradeGasOf(activating: readonly Fork[], bundles: UpgradeBundles): number {
  return activating
    .filter(({ upgrade }) => upgrade?.addsGas)
    .flatMap((fork) => bundleOf(fork, bundles).transactions)
    .reduce((sum, { gasLimit }) => sum + gasLimit, 0);
}

function bundleOf(fork: Fork, bundles: UpgradeBundles): UpgradeBundle {
  const bundle = bundles[fork.name];
  if (bundle !== undefined) return bundle;
  throw new ProtocolError(
    'bundle-missing',
    'fatal',
    `${fork.label} activates after genesis and has no upgrade bundle; give one, or activate the fork at genesis`,
    { fork: fork.name },
  );
}
