import { join } from 'node:path';
import type { GenesisContracts } from '../../protocol/genesis/index.ts';
import { readJson } from '../../system/files/atomic-write.ts';
import { packageRoot } from '../../system/program/entry.ts';

let contracts: GenesisContracts | undefined;

/** Returns the genesis contracts that were computed at build. */
export function genesisContracts(): GenesisContracts {
  contracts ??= readJson(join(packageRoot(), 'dist', 'contracts.json')) as GenesisContracts;
  return contracts;
}
