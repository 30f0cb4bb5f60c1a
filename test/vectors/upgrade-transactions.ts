import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { decodeDeposit, encodeDeposit } from '../../src/protocol/codec/deposit.ts';
import { type ForkName, findFork, upgradeTransactions as ourTransactions } from '../../src/protocol/forks/index.ts';
import { bytesToHex, hexToBytes } from '../../src/protocol/hex.ts';
import type { Hex, UpgradeBundle } from '../../src/protocol/types.ts';
import { same, type VectorKind } from './kind.ts';

const bundles = resolve(import.meta.dirname, '..', '..', 'dist', 'bundles');

/**
 * Encoded upgrade deposits, one per file (`<fork>_tx_<index>.hex`).
 * They decode and encode to the same bytes, and equal those of the shipped bundle. If its bytecode is our own
 * (`origin`: own), the code of deployments is not compared.
 */
export const upgradeTransactions: VectorKind = {
  name: 'encoded upgrade transactions',
  files: /(^|\/)[a-z]+_tx_\d+\.hex$/,
  cases(path, text) {
    const [, fork = '', index = ''] = /([a-z]+)_tx_(\d+)\.hex$/.exec(path) ?? [];
    if (findFork(fork) === undefined) return [];
    const published: Hex = `0x${text.trim().replace(/^0x/, '')}`;
    return [
      {
        name: `${fork} ${index}`,
        check() {
          const deposit = decodeDeposit(hexToBytes(published));
          same('encoding', bytesToHex(encodeDeposit(deposit)), published);
          const bundle = JSON.parse(readFileSync(resolve(bundles, `${fork}.json`), 'utf8')) as UpgradeBundle;
          const schedule = { [fork]: 2 } as { [name in ForkName]?: number };
          const ours = decodeDeposit(hexToBytes(ourTransactions(schedule, 2, 2, { [fork]: bundle })[Number(index)]!));
          const isOurs = bundle.metadata['origin'] === 'own' && deposit.to === null;
          same('deposit', isOurs ? { ...ours, data: '' } : ours, isOurs ? { ...deposit, data: '' } : deposit);
        },
      },
    ];
  },
};
