import { type ForkSchedule, findFork } from '../../protocol/forks/index.ts';
import { devAccounts, roleAccounts } from '../../protocol/genesis/accounts.ts';
import { l2Alloc } from '../../protocol/genesis/alloc.ts';
import type { GenesisContracts } from '../../protocol/genesis/contracts.ts';
import { type ChainGenesisInputs, GENESIS_DEFAULTS } from '../../protocol/genesis/inputs.ts';
import { l2StateKey } from '../../protocol/genesis/l2.ts';
import { l2GenesisRoots } from '../../protocol/genesis/roots.ts';
import { present } from '../../protocol/present.ts';
import type { Hex } from '../../protocol/types.ts';

/** Values of an empty spec (`l1.chainId`, `chains.main`). */
const USUAL = { l1ChainId: 900, chainId: 901, accounts: 10, balance: 10_000n * 10n ** 18n };

const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`;

/** Adds the roots of the default chain's genesis state at each base fork. They cost more than the rest of planning. */
export function bakeRoots(contracts: GenesisContracts): GenesisContracts {
  const names = contracts.l2.layers.map(({ fork }) => present(findFork(fork), `fork ${fork} of the manifest`).name);
  const entries = names.map((_, index) => {
    const schedule: ForkSchedule = Object.fromEntries(names.slice(0, index + 1).map((name) => [name, 0]));
    const inputs = usualInputs(schedule, contracts);
    return [l2StateKey(inputs, contracts), l2GenesisRoots(l2Alloc(inputs, contracts))] as const;
  });
  return { ...contracts, l2: { ...contracts.l2, roots: Object.fromEntries(entries) } };
}

function usualInputs(schedule: ForkSchedule, contracts: GenesisContracts): ChainGenesisInputs {
  const { chainId, l1ChainId, balance } = USUAL;
  const roles = roleAccounts(chainId, contracts);
  return {
    chainId,
    l1ChainId,
    genesisTime: 0,
    blockTime: 2,
    schedule,
    accounts: devAccounts(USUAL.accounts, contracts).map(({ address }) => ({ address, balance: String(balance) })),
    // The state does not depend on it: L2 learns its system config from L1.
    systemConfig: {
      batcherAddr: roles.batcher.address,
      overhead: ZERO_WORD,
      scalar: ZERO_WORD,
      gasLimit: 0,
      eip1559Params: '0x0000000000000000',
      operatorFeeParams: ZERO_WORD,
      minBaseFee: 0,
      daFootprintGasScalar: 0,
    },
    roles: {
      owner: roles.owner.address,
      proposer: roles.proposer.address,
      challenger: roles.challenger.address,
      unsafeBlockSigner: roles.sequencer.address,
    },
    ...GENESIS_DEFAULTS,
  };
}
