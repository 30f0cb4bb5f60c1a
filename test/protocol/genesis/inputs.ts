import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ForkSchedule } from '../../../src/protocol/forks/index.ts';
import {
  type ChainGenesisInputs,
  devAccounts,
  GENESIS_DEFAULTS,
  type GenesisContracts,
  roleAccounts,
} from '../../../src/protocol/genesis/index.ts';
import type { Hex, SystemConfig } from '../../../src/protocol/types.ts';

const dist = join(import.meta.dirname, '..', '..', '..', 'dist');

/** The file that the build wrote. */
export const contracts = JSON.parse(readFileSync(join(dist, 'contracts.json'), 'utf8')) as GenesisContracts;

export const GENESIS_TIME = 1_700_000_000;
export const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`;
/** Encoding version 1: blob base fee scalar 810949, base fee scalar 1368. */
export const SCALAR: Hex = '0x010000000000000000000000000000000000000000000000000c5fc500000558';

const ORDER = ['regolith', 'canyon', 'delta', 'ecotone', 'fjord', 'granite', 'holocene', 'isthmus', 'jovian'] as const;

/** Everything up to and including a fork active at genesis. */
export function upTo(base: (typeof ORDER)[number] | 'bedrock'): ForkSchedule {
  const last = base === 'bedrock' ? -1 : ORDER.indexOf(base);
  return Object.fromEntries(ORDER.slice(0, last + 1).map((name) => [name, 0]));
}

/** Inputs of a chain with the usual accounts and roles. */
export function chainInputs(
  changes: Partial<Omit<ChainGenesisInputs, 'systemConfig'>> & { readonly systemConfig?: Partial<SystemConfig> } = {},
): ChainGenesisInputs {
  const chainId = changes.chainId ?? 901;
  const roles = roleAccounts(chainId, contracts);
  return {
    chainId,
    l1ChainId: 900,
    genesisTime: GENESIS_TIME,
    blockTime: 2,
    schedule: upTo('jovian'),
    accounts: devAccounts(10, contracts).map(({ address }) => ({ address, balance: '10000000000000000000000' })),
    roles: {
      owner: roles.owner.address,
      proposer: roles.proposer.address,
      challenger: roles.challenger.address,
      unsafeBlockSigner: roles.sequencer.address,
    },
    ...GENESIS_DEFAULTS,
    ...changes,
    systemConfig: {
      batcherAddr: roles.batcher.address,
      overhead: ZERO_WORD,
      scalar: SCALAR,
      gasLimit: 30_000_000,
      eip1559Params: '0x0000000000000000',
      operatorFeeParams: ZERO_WORD,
      minBaseFee: 0,
      daFootprintGasScalar: 0,
      ...changes.systemConfig,
    },
  };
}
