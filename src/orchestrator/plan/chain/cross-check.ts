import { FORKS, scheduleOf, scheduleOfGenesis } from '../../../protocol/forks/index.ts';
import type { Hex, RollupConfig } from '../../../protocol/types.ts';
import { EXIT, Failure } from '../../../system/failure.ts';

/**
 * Checks that a chain's genesis file and rollup config have one chain id and the same activation times. Nodes with
 * different fork times split at the first block of that fork.
 * @throws Failure `chain-files` with every difference
 */
export function mustAgree(chain: string, rollup: RollupConfig, genesisConfig: Readonly<Record<string, unknown>>): void {
  const [ofRollup, ofGenesis] = [scheduleOf(rollup), scheduleOfGenesis(genesisConfig)];
  const differences = FORKS.filter(
    ({ name, rollupKey, genesisKey }) =>
      rollupKey !== null && genesisKey !== null && ofRollup[name] !== ofGenesis[name],
  ).map(
    ({ name, rollupKey, genesisKey }) =>
      `${rollupKey} is ${ofRollup[name] ?? 'absent'}, ${genesisKey} is ${ofGenesis[name] ?? 'absent'}`,
  );
  if (rollup.l2_chain_id !== genesisConfig['chainId'])
    differences.unshift(`l2_chain_id is ${rollup.l2_chain_id}, chainId is ${genesisConfig['chainId']}`);
  if (differences.length === 0) return;
  throw new Failure(
    'chain-files',
    `the rollup config and the genesis file of the chain "${chain}" contradict each other: ${differences.join('; ')}`,
    {
      exit: EXIT.usage,
      data: { chain, differences },
    },
  );
}

/** What the rollup config of a chain says of L1, as this network has it. */
interface ExpectedL1 {
  readonly chainId: number;
  /** Of block 0. */
  readonly hash: Hex;
  readonly systemConfig: Hex;
  readonly portal: Hex;
}

/**
 * Checks that a rollup config belongs to this network's L1.
 * @throws Failure `chain-files` with the first difference
 */
export function mustBeOnL1(file: string, rollup: RollupConfig, expected: ExpectedL1): void {
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['l1_chain_id', rollup.l1_chain_id, expected.chainId],
    ['genesis.l1.hash', rollup.genesis.l1.hash, expected.hash],
    ['l1_system_config_address', rollup.l1_system_config_address, expected.systemConfig],
    ['deposit_contract_address', rollup.deposit_contract_address, expected.portal],
  ];
  for (const [key, actual, expected] of pairs) {
    if (String(actual).toLowerCase() === String(expected).toLowerCase()) continue;
    throw new Failure(
      'chain-files',
      `${file} belongs to another L1: its ${key} is ${actual}, expected ${expected} as on this devnet's L1`,
      {
        exit: EXIT.usage,
        data: { file, key, found: actual, wanted: expected },
        hint: 'from: accepts the files of a chain that a devnet started; set l1.chainId to its value then',
      },
    );
  }
}
