/** Genesis of L1 and L2 as pure functions of plain inputs and `dist/contracts.json`. */

export { accountOfKey, accountsOfSeed, devAccounts, roleAccounts } from './accounts.ts';
export { batchInboxAddress, l1Addresses } from './addresses.ts';
export { l1Alloc, l2Alloc } from './alloc.ts';
export type { DevAccount, GenesisContracts, GenesisRoots, RoleAccounts } from './contracts.ts';
export type { ExtraAlloc } from './extra-alloc.ts';
export type { GenesisAlloc } from './file/account.ts';
export { type GenesisFunds, genesisFunds, l2Funds } from './funds.ts';
export {
  type ChainGenesisInputs,
  GENESIS_DEFAULTS,
  type L1ForkTimes,
  type L1GenesisInputs,
  type L1Hardfork,
} from './inputs.ts';
export { ANVIL_ARGUMENTS, l1ChainConfig, l1Genesis, l1GenesisHash, predictAnvilGenesis } from './l1.ts';
export { l2Genesis, l2GenesisHash, l2GenesisHead, l2GenesisHeader, l2StateKey, renderL2Genesis } from './l2.ts';
export { l1Preinstalls, l2Preinstalls } from './preinstalls.ts';
export { renderAlloc } from './render.ts';
export { renderRollupConfig, rollupConfig } from './rollup.ts';
export { l2GenesisRoots } from './roots.ts';
