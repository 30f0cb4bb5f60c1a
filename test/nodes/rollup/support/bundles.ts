import { cpSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { getContractAddress } from 'viem';

const built = resolve(import.meta.dirname, '..', '..', '..', '..', 'dist', 'bundles');
const DEPLOYER = `0x4210000000000000000000000000000000000a0a`;

/** Upgrade transactions of a fork without a bundle in the package: one creates a contract, one calls it. */
const KARST = {
  metadata: { version: '1.0.0', fork: 'karst' },
  transactions: [
    {
      intent: 'Probe Deployment',
      from: DEPLOYER,
      to: null,
      gasLimit: 200_000,
      // Returns PUSH1 1 PUSH1 0 SSTORE STOP.
      data: '0x656001600055006000526006601af3',
    },
    {
      intent: 'Probe Call',
      from: `0x${'00'.repeat(20)}`,
      to: getContractAddress({ from: DEPLOYER, nonce: 0n }).toLowerCase(),
      gasLimit: 100_000,
      data: '0x',
    },
  ],
};

/** A folder with an upgrade bundle of every fork that can have one. */
export function allBundles(folder: string): string {
  const bundles = join(folder, 'bundles');
  cpSync(built, bundles, { recursive: true });
  writeFileSync(join(bundles, 'karst.json'), JSON.stringify(KARST));
  return bundles;
}
