import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { devAccounts, roleAccounts } from '../../protocol/genesis/accounts.ts';
import type { GenesisContracts } from '../../protocol/genesis/contracts.ts';

const MNEMONIC = 'test test test test test test test test test test test junk';
const BAKED_ACCOUNTS = 10;
/** Chain ids that specs use if they name none. */
const USUAL_CHAINS = [901, 902, 903, 904];

/** The accounts of the well-known development mnemonic, derived once: its seed alone costs 2,048 rounds of hashing. */
export function bakeAccounts(): GenesisContracts['accounts'] {
  const { privateExtendedKey } = HDKey.fromMasterSeed(mnemonicToSeedSync(MNEMONIC)).derive("m/44'/60'");
  const raw = { accounts: { extendedKey: privateExtendedKey, dev: [], roles: {} } };
  const roles = Object.fromEntries(USUAL_CHAINS.map((chainId) => [chainId, roleAccounts(chainId, raw)]));
  return { extendedKey: privateExtendedKey, dev: devAccounts(BAKED_ACCOUNTS, raw), roles };
}
