import { hexToBytes, sameHex } from '../../../protocol/hex.ts';
import { isJsonObject } from '../../../rpc/json-object.ts';
import { EXIT, Failure } from '../../../system/failure.ts';
import { jsonIn } from '../../../system/files/json-in.ts';
import { type Account, accountOf } from '../../txmgr/account.ts';

/** The accounts of L1 for which its gate signs. */
export interface L1Keys {
  /** Those of the users, which `eth_accounts` lists. */
  readonly accounts: readonly Account[];
  /** Returns an account by its address, also that of a role. Undefined: its key is not known. */
  find(address: string): Account | undefined;
}

/** An L1 whose gate signs nothing. */
export const NO_KEYS: L1Keys = { accounts: [], find: () => undefined };

/**
 * Reads the keys of L1 from a JSON file: `{ accounts: [KEY, …], roles: [KEY, …] }`.
 * @throws Failure `usage` if the file is none
 */
export function readL1Keys(path: string): L1Keys {
  const document = jsonIn(path);
  const accounts = keysIn(document, 'accounts').map(accountOf);
  const all = [...accounts, ...keysIn(document, 'roles').map(accountOf)];
  return { accounts, find: (address) => all.find((each) => sameHex(each.address, address)) };

  function keysIn(value: unknown, name: string): readonly Uint8Array[] {
    const keys = isJsonObject(value) ? value[name] : undefined;
    if (Array.isArray(keys) && keys.every((key) => /^0x[\da-f]{64}$/i.test(String(key))))
      return keys.map((key) => hexToBytes(String(key)));
    throw new Failure('usage', `l1-beacon: --l1.keys: ${path} holds no list of keys \`${name}\``, { exit: EXIT.usage });
  }
}
