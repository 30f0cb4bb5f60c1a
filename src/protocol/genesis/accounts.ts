import { secp256k1 } from '@noble/curves/secp256k1.js';
import { HDKey } from '@scure/bip32';
import { keccak256Bytes } from '../hash.ts';
import { bytesToHex } from '../hex.ts';
import { present } from '../present.ts';
import { type DevAccount, type GenesisContracts, ROLES, type RoleAccounts } from './contracts.ts';

/** Returns the first accounts of the seed of a user's own mnemonic (m/44'/60'/0'/0/i). */
export function accountsOfSeed(seed: Uint8Array, count: number): readonly DevAccount[] {
  const branch = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'/0");
  return Array.from({ length: count }, (_, index) => account(branch.deriveChild(index)));
}

/**
 * Returns the first accounts of the mnemonic "test … junk" (m/44'/60'/0'/0/i; op-chain-ops: `NewMnemonicDevKeys`).
 * The usual ones are computed at build.
 */
export function devAccounts(count: number, contracts: Pick<GenesisContracts, 'accounts'>): readonly DevAccount[] {
  const baked = contracts.accounts.dev.slice(0, count);
  if (baked.length === count) return baked;
  const branch = root(contracts).derive("m/0'/0");
  const more = Array.from({ length: count - baked.length }, (_, index) =>
    account(branch.deriveChild(baked.length + index)),
  );
  return [...baked, ...more];
}

/**
 * Returns a chain's role accounts (m/44'/60'/chainId'/0/i; op-chain-ops: `ChainOperatorRole`).
 * No two chains share an account, so their L1 nonces never collide.
 */
export function roleAccounts(chainId: number, contracts: Pick<GenesisContracts, 'accounts'>): RoleAccounts {
  const baked = contracts.accounts.roles[chainId];
  if (baked !== undefined) return baked;
  const branch = root(contracts).derive(`m/${chainId % 2 ** 31}'/0`);
  const accountOf = (role: keyof RoleAccounts) => account(branch.deriveChild(ROLES.indexOf(role)));
  return {
    owner: accountOf('owner'),
    batcher: accountOf('batcher'),
    proposer: accountOf('proposer'),
    challenger: accountOf('challenger'),
    sequencer: accountOf('sequencer'),
  };
}

function root(contracts: Pick<GenesisContracts, 'accounts'>): HDKey {
  return HDKey.fromExtendedKey(contracts.accounts.extendedKey);
}

function account(key: HDKey): DevAccount {
  return accountOfKey(present(key.privateKey ?? undefined, 'private key of a derived account'));
}

/** Returns the account of a private key. */
export function accountOfKey(privateKey: Uint8Array): DevAccount {
  const point = secp256k1.getPublicKey(privateKey, false);
  return {
    address: `0x${bytesToHex(keccak256Bytes(point.subarray(1))).slice(26)}`,
    privateKey: bytesToHex(privateKey),
  };
}
