import { FORKS, scheduleOf, scheduleOfGenesis } from '../../../protocol/forks/index.ts';
import type { RollupConfig } from '../../../protocol/types.ts';
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
