import { lowerHex } from '../hex.ts';
import type { Hex } from '../types.ts';
import type { GenesisAccount } from './alloc.ts';

/** An account in a user's file. Numbers are quantities, hex digits lower case. */
interface ExtraAccount {
  readonly balance?: Hex;
  readonly nonce?: number;
  readonly code?: Hex;
  readonly storage?: Readonly<Record<Hex, Hex>>;
}

/** A user's own accounts by address, plain JSON data. */
export type ExtraAlloc = Readonly<Record<Hex, ExtraAccount>>;

type Read = { readonly ok: true; readonly value: ExtraAlloc } | { readonly ok: false; readonly problems: string[] };

/** Most problems that are listed. A file of another kind has one for each account. */
const LISTED = 8;
/** Bytes of the largest contract (EIP-170). */
const MAX_CODE = 24_576;

/**
 * Reads a genesis file's `alloc`, or a document that is one (geth: `GenesisAlloc`).
 * Returns every problem with its place in the document.
 */
export function readAlloc(document: unknown): Read {
  const whole = isMap(document) && isMap(document['alloc']) ? document['alloc'] : document;
  if (!isMap(whole)) return { ok: false, problems: ['expected a map of accounts by address'] };
  const problems: string[] = [];
  const value: Record<Hex, ExtraAccount> = {};
  for (const [key, account] of Object.entries(whole)) {
    const address = /^(?:0x)?([0-9a-fA-F]{40})$/.exec(key)?.[1]?.toLowerCase();
    if (address === undefined) problems.push(`"${key.slice(0, 66)}": expected an address of 20 bytes`);
    else if (value[`0x${address}`] !== undefined) problems.push(`"${key}": the address stands twice`);
    else value[`0x${address}`] = readAccount(key, account, problems);
  }
  if (problems.length === 0) return { ok: true, value };
  const more = problems.length - LISTED;
  return { ok: false, problems: [...problems.slice(0, LISTED), ...(more > 0 ? [`${more} more`] : [])] };
}

function readAccount(at: string, account: unknown, problems: string[]): ExtraAccount {
  if (!isMap(account)) {
    problems.push(`${at}: expected a map with balance, nonce, code and storage`);
    return {};
  }
  const { balance, nonce, code, storage, ...others } = account;
  for (const key of Object.keys(others)) problems.push(`${at}.${key}: expected balance, nonce, code or storage`);
  const number = (key: string, given: unknown, bits: number): bigint | undefined => {
    if (given === undefined) return undefined;
    const found = numberOf(given);
    if (found !== undefined && found >> BigInt(bits) === 0n) return found;
    problems.push(`${at}.${key}: expected a number of at most ${bits} bits, found ${JSON.stringify(given)}`);
    return undefined;
  };
  const wei = number('balance', balance, 256);
  const sent = number('nonce', nonce, 53);
  const bytes = code === undefined ? undefined : codeOf(`${at}.code`, code, problems);
  return {
    ...(wei === undefined ? {} : { balance: `0x${wei.toString(16)}` }),
    ...(sent === undefined ? {} : { nonce: Number(sent) }),
    ...(bytes === undefined ? {} : { code: bytes }),
    ...(storage === undefined ? {} : { storage: storageOf(`${at}.storage`, storage, problems) }),
  };
}

function codeOf(at: string, code: unknown, problems: string[]): Hex | undefined {
  if (typeof code !== 'string' || !/^0x([0-9a-fA-F]{2})*$/.test(code))
    problems.push(`${at}: expected 0x and whole bytes`);
  else if (code.length > 2 + MAX_CODE * 2) problems.push(`${at}: expected at most ${MAX_CODE} bytes`);
  else return lowerHex(code);
  return undefined;
}

function storageOf(at: string, storage: unknown, problems: string[]): Readonly<Record<Hex, Hex>> {
  if (!isMap(storage)) {
    problems.push(`${at}: expected a map of words`);
    return {};
  }
  const words = Object.entries(storage).flatMap(([key, value]) => {
    const [slot, word] = [wordOf(key), wordOf(value)];
    if (slot !== undefined && word !== undefined) return [[slot, word] as const];
    problems.push(`${at}.${key.slice(0, 66)}: expected words of at most 32 bytes in hex`);
    return [];
  });
  return Object.fromEntries(words);
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

/** Reads a number of a genesis file: JSON, decimal or hex. Undefined where it is none. */
export function numberOf(given: unknown): bigint | undefined {
  if (typeof given === 'number') return Number.isSafeInteger(given) && given >= 0 ? BigInt(given) : undefined;
  return typeof given === 'string' && /^(0x[0-9a-fA-F]{1,64}|\d{1,78})$/.test(given) ? BigInt(given) : undefined;
}

function wordOf(given: unknown): Hex | undefined {
  const digits = typeof given === 'string' ? /^(?:0x)?([0-9a-fA-F]{1,64})$/.exec(given)?.[1] : undefined;
  return digits === undefined ? undefined : `0x${digits.toLowerCase().padStart(64, '0')}`;
}

/** Tells whether a value of JSON is an object. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
