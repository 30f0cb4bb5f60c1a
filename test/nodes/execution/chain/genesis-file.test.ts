import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBlockHeader } from '@ethereumjs/block';
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { genesisHeader, genesisState } from '../../../../src/nodes/execution/chain/genesis.ts';
import { readGenesisFile } from '../../../../src/nodes/execution/chain/genesis-file.ts';
import { headerHash } from '../../../../src/protocol/codec/header.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';

const PIECE = 256 * 1024;
const HEAD = '{"config":{"chainId":7},"gasLimit":"0x1c9c380","difficulty":"0x0",';
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'genesis-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(text: string): string {
  const path = join(folder, 'genesis.json');
  writeFileSync(path, text);
  return path;
}

test.each([0, 1, PIECE - 7, PIECE - 6, PIECE - 4, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE - 3])(
  'the alloc that begins at byte %i after the head, wherever a read ends, is found and hashed as it stands',
  (at) => {
    const padded = HEAD + ' '.repeat(Math.max(0, at - HEAD.length));
    const alloc = `{"${'ab'.repeat(20)}":{"balance":"0x1"}${' '.repeat(PIECE)}}`;
    const genesis = readGenesisFile(write(`${padded}"alloc":${alloc}}`));
    expect(genesis.definition.chainId).toBe(7);
    expect(genesis.allocKey).toBe(createHash('sha256').update(alloc).digest('hex'));
    expect(genesis.alloc()).toEqual({ ['ab'.repeat(20)]: { balance: '0x1' } });
  },
);

test('an alloc that is not the one that was hashed is refused', () => {
  const genesis = readGenesisFile(write(`${HEAD}"alloc":{}}`));
  write(`${HEAD}"alloc":{"00":{}}}`);
  expect(() => genesis.alloc()).toThrow(/it changed while it was read/);
});

test.each([
  ['no alloc', `${HEAD}"nonce":"0x0"}`, /has no "alloc"/],
  ['an alloc that is only a key of another', `${HEAD}"more":{"alloc":{}}}`, /has no "alloc"/],
  ['nothing', '', /has no "alloc"/],
  ['an alloc that is not valid JSON', `${HEAD}"alloc":{`, undefined],
])('a file with %s is refused with its path', (_, text, message) => {
  const path = write(text);
  const read = () => readGenesisFile(path).alloc();
  expect(read).toThrow(message ?? /is not valid JSON/);
  expect(read).toThrow(path);
});

test('a folder cannot be read as a genesis file', () => {
  expect(() => readGenesisFile(folder)).toThrow(/cannot read the genesis file/);
});

const FIELDS = {
  nonce: '0x7',
  timestamp: '0xfffffffffffffffe',
  extraData: '0xAB',
  gasLimit: '0x7fffffffffffffff',
  mixHash: `0x${'0c'.repeat(32)}`,
  coinbase: `0x${'0a'.repeat(20)}`,
  gasUsed: '0x20000000000001',
  parentHash: `0x${'0b'.repeat(32)}`,
  baseFeePerGas: '0x7',
  excessBlobGas: '0xfffffffffffffffd',
  blobGasUsed: '0x20000',
} as const;
const CONFIG = { chainId: 7, terminalTotalDifficulty: 0, shanghaiTime: 0, cancunTime: 0 };
const ALLOC = { ['ab'.repeat(20)]: { balance: '0x1', code: '0x', storage: {} } };

/** Returns the genesis hash of a file with these keys in this order. */
function hashOf(document: Readonly<Record<string, unknown>>): string {
  const genesis = readGenesisFile(write(JSON.stringify(document)));
  return headerHash(genesisHeader(genesis.definition, genesisState(genesis.alloc())));
}

test('every header field counts wherever the alloc stands, as another implementation hashes it', () => {
  const { coinbase, ...rest } = FIELDS;
  const same = { ...rest, nonce: '0x0000000000000007' } as const;
  const common = new Common({ chain: { ...Mainnet, chainId: 7 }, hardfork: Hardfork.Cancun });
  const { stateRoot } = genesisState(ALLOC);
  const reference = createBlockHeader({ ...same, coinbase, stateRoot: bytesToHex(stateRoot) }, { common });
  const expected = bytesToHex(reference.hash());
  const entries = Object.entries({ config: CONFIG, ...FIELDS, alloc: ALLOC, difficulty: '0x0', number: '0x0' });
  for (let at = 0; at < entries.length; at++)
    expect(hashOf(Object.fromEntries([...entries.slice(at), ...entries.slice(0, at)]))).toBe(expected);
});

test('integers may be decimal text and JSON numbers of any length', () => {
  const base = { config: CONFIG, ...FIELDS, alloc: ALLOC };
  const { gasLimit } = readGenesisFile(write(JSON.stringify({ ...base, gasLimit: '9223372036854775807' }))).definition
    .fields;
  expect(gasLimit).toBe(2n ** 63n - 1n);
  const text = JSON.stringify({ ...base, timestamp: 1 }).replace('"timestamp":1', '"timestamp":18446744073709551614');
  expect(readGenesisFile(write(text)).definition.fields.timestamp).toBe(2n ** 64n - 2n);
});

test('keys that are not understood are listed, null stands for an absent field', () => {
  const { definition } = readGenesisFile(
    write(
      JSON.stringify({
        config: CONFIG,
        gasLimit: 1,
        alloc: {},
        baseFeePerGas: null,
        slotNumber: null,
        gaslimit: 2,
        x: 1,
      }),
    ),
  );
  expect(definition.unknownKeys).toEqual(['gaslimit', 'x']);
  expect(definition.fields.baseFeePerGas).toBe(1_000_000_000n);
});

test.each([
  ['no gas limit', { gasLimit: undefined }, /gasLimit is missing/],
  [
    'a gas limit of 65 bits',
    { gasLimit: '0x10000000000000000' },
    /gasLimit is "0x10000000000000000": expected an integer below 2\^64/,
  ],
  ['a negative time', { timestamp: -1 }, /timestamp is "?-1"?: expected/],
  ['a fraction', { timestamp: 1.5 }, /timestamp is "?1.5"?: expected/],
  ['a short parent hash', { parentHash: '0x01' }, /parentHash: expected 32 bytes/],
  ['a difficulty', { difficulty: '0x1' }, /difficulty is not 0/],
  ['a number', { number: '0x1' }, /number is not 0/],
  ['a state hash', { stateHash: `0x${'01'.repeat(32)}` }, /stateHash/],
])('a genesis block with %s is refused', (_, change, message) => {
  const text = JSON.stringify({ config: CONFIG, gasLimit: '0x1', alloc: {}, ...change });
  expect(() => readGenesisFile(write(text))).toThrow(message);
});

test('an alloc of escaped text, nested lists and keys named alloc is taken out whole', () => {
  const alloc = { '\\"}': [{ alloc: ['{', ']', '\\'] }], alloc: { alloc: '"' } };
  const before = JSON.stringify({ config: { ...CONFIG, alloc: { a: 1 } }, extraData: '0x', more: 'alloc' }).slice(
    0,
    -1,
  );
  const genesis = readGenesisFile(write(`${before}, "alloc" :\n${JSON.stringify(alloc)} ,\n"gasLimit":"0x5"}`));
  expect(genesis.definition.fields.gasLimit).toBe(5n);
  expect(genesis.alloc()).toEqual(alloc);
});
