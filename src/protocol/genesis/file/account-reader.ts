import { lowerHex } from '../../hex.ts';
import type { Hex } from '../../types.ts';

/** An account as a file states it. Numbers are quantities, hex digits lower case, storage words of 32 bytes. */
export interface StatedAccount {
  readonly balance?: Hex;
  readonly nonce?: Hex;
  readonly code?: Hex;
  readonly storage?: Readonly<Record<Hex, Hex>>;
}

/** Rules of a kind of genesis file. */
export interface AccountRules {
  /** Text before the address in problems. */
  readonly prefix: '' | 'alloc.';
  readonly nonceBits: number;
  /** Bytes of the largest code; absent: any length. */
  readonly codeBytes?: number;
  /** Keys of accounts that mean nothing here are ignored, as in genesis files. Else each is a problem. */
  readonly ignoresUnknownKeys: boolean;
}

/** Most problems that are listed. A file of another kind has one for each account. */
const MAX_LISTED_PROBLEMS = 8;

/**
 * Reads accounts by address (geth: `GenesisAlloc`).
 * Adds every problem with its place in the document, the first eight of them in words.
 */
export function readAccounts(
  whole: Readonly<Record<string, unknown>>,
  rules: AccountRules,
  problems: string[],
): Readonly<Record<Hex, StatedAccount>> {
  const faults: string[] = [];
  const accounts: Record<Hex, StatedAccount> = {};
  const label = (key: string) => (rules.prefix === '' ? `"${key.slice(0, 66)}"` : `${rules.prefix}${key.slice(0, 66)}`);
  for (const [key, account] of Object.entries(whole)) {
    const address = /^(?:0[xX])?([0-9a-fA-F]{40})$/.exec(key)?.[1]?.toLowerCase();
    if (address === undefined) faults.push(`${label(key)}: expected an address of 20 bytes`);
    else if (accounts[`0x${address}`] !== undefined) faults.push(`${label(key)}: the address stands twice`);
    else accounts[`0x${address}`] = readAccount(`${rules.prefix}${key}`, account, rules, faults);
  }
  problems.push(...faults.slice(0, MAX_LISTED_PROBLEMS));
  if (faults.length > MAX_LISTED_PROBLEMS) problems.push(`${faults.length - MAX_LISTED_PROBLEMS} more`);
  return accounts;
}

function readAccount(at: string, account: unknown, rules: AccountRules, problems: string[]): StatedAccount {
  if (!isMap(account)) {
    problems.push(`${at}: expected a map with balance, nonce, code and storage`);
    return {};
  }
  const { balance, nonce, code, storage, ...others } = account;
  if (!rules.ignoresUnknownKeys)
    for (const key of Object.keys(others)) problems.push(`${at}.${key}: expected balance, nonce, code or storage`);
  const number = (key: string, value: unknown, bits: number): Hex | undefined => {
    if (value === undefined || value === null) return undefined;
    const integer = numberOf(value);
    if (integer !== undefined && integer >> BigInt(bits) === 0n) return `0x${integer.toString(16)}`;
    problems.push(`${at}.${key}: expected a number of at most ${bits} bits, found ${JSON.stringify(value)}`);
    return undefined;
  };
  const wei = number('balance', balance, 256);
  const sent = number('nonce', nonce, rules.nonceBits);
  const bytes = code === undefined || code === null ? undefined : codeOf(`${at}.code`, code, rules, problems);
  return {
    ...(wei === undefined ? {} : { balance: wei }),
    ...(sent === undefined ? {} : { nonce: sent }),
    ...(bytes === undefined ? {} : { code: bytes }),
    ...(storage === undefined || storage === null ? {} : { storage: storageOf(`${at}.storage`, storage, problems) }),
  };
}

function codeOf(at: string, code: unknown, { codeBytes }: AccountRules, problems: string[]): Hex | undefined {
  if (typeof code !== 'string' || !/^0x([0-9a-fA-F]{2})*$/.test(code))
    problems.push(`${at}: expected 0x and whole bytes`);
  else if (codeBytes !== undefined && code.length > 2 + codeBytes * 2)
    problems.push(`${at}: expected at most ${codeBytes} bytes`);
  else return lowerHex(code);
  return undefined;
}

function storageOf(at: string, storage: unknown, problems: string[]): Readonly<Record<Hex, Hex>> {
  if (!isMap(storage)) {
    problems.push(`${at}: expected a map of words`);
    return {};
  }
  const words: Record<Hex, Hex> = {};
  for (const [key, value] of Object.entries(storage)) {
    const [slot, word] = [wordOf(key), wordOf(value)];
    const place = `${at}.${key.slice(0, 66)}`;
    if (slot === undefined || word === undefined) problems.push(`${place}: expected words of at most 32 bytes in hex`);
    else if (words[slot] !== undefined) problems.push(`${place}: the slot stands twice`);
    else words[slot] = word;
  }
  return words;
}

/** Reads a number of a genesis file: JSON, decimal or hex. Undefined if it is none. */
export function numberOf(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  return typeof value === 'string' && /^(0x[0-9a-fA-F]{1,64}|\d{1,78})$/.test(value) ? BigInt(value) : undefined;
}

function wordOf(value: unknown): Hex | undefined {
  const digits = typeof value === 'string' ? /^(?:0x)?([0-9a-fA-F]{1,64})$/.exec(value)?.[1] : undefined;
  return digits === undefined ? undefined : `0x${digits.toLowerCase().padStart(64, '0')}`;
}

/** Tells whether a value of a JSON document is a map. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
