import { lowerHex } from '../hex.ts';
import type { Hex } from '../types.ts';
import type { GenesisAccount } from './file/account.ts';
import { type AccountRules, isMap, readAccounts } from './file/account-reader.ts';
import type { FileContent } from './file/rollup-file.ts';

/** An account in a user's file. Numbers are quantities, hex digits lower case. */
interface ExtraAccount {
  readonly balance?: Hex;
  readonly nonce?: number;
  readonly code?: Hex;
  readonly storage?: Readonly<Record<Hex, Hex>>;
}

/** A user's own accounts by address, plain JSON data. */
export type ExtraAlloc = Readonly<Record<Hex, ExtraAccount>>;

/** 24,576: bytes of the largest contract (EIP-170). */
const RULES: AccountRules = { prefix: '', nonceBits: 53, codeBytes: 24_576, ignoresUnknownKeys: false };

/**
 * Reads a genesis file's `alloc`, or a document that is one (geth: `GenesisAlloc`).
 * Returns every problem with its place in the document.
 */
export function readAlloc(document: unknown): FileContent<ExtraAlloc> {
  const whole = isMap(document) && isMap(document['alloc']) ? document['alloc'] : document;
  if (!isMap(whole)) return { ok: false, problems: ['expected a map of accounts by address'] };
  const problems: string[] = [];
  const accounts = readAccounts(whole, RULES, problems);
  if (problems.length > 0) return { ok: false, problems };
  const value = Object.entries(accounts).map(([address, { nonce, ...account }]) => [
    address,
    nonce === undefined ? account : { ...account, nonce: Number(nonce) },
  ]);
  return { ok: true, value: Object.fromEntries(value) as ExtraAlloc };
}

/** Lays a user's accounts over a genesis state. Fields that they lack keep the values of an existing account. */
export function layAlloc(alloc: Map<Hex, GenesisAccount>, extra: ExtraAlloc): void {
  for (const [address, { balance, nonce, code, storage }] of Object.entries(extra)) {
    const at = lowerHex(address);
    const below = alloc.get(at) ?? { balance: 0n, nonce: 0, code: '0x', storage: {} };
    const words = Object.entries({ ...below.storage, ...storage }).filter(([, value]) => !/^0x0*$/.test(value));
    alloc.set(at, {
      balance: balance === undefined ? below.balance : BigInt(balance),
      nonce: nonce ?? below.nonce,
      code: code ?? below.code,
      storage: Object.fromEntries(words),
    });
  }
}
