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
import { messageOf } from '../../../../src/system/failure.ts';

const PIECE_BYTES = 256 * 1024;
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

test.each([
  0,
  1,
  PIECE_BYTES - 7,
  PIECE_BYTES - 6,
  PIECE_BYTES - 4,
  PIECE_BYTES - 1,
  PIECE_BYTES,
  PIECE_BYTES + 1,
  3 * PIECE_BYTES - 3,
])('the alloc at byte %i after the head is found and hashed as it is, wherever a read ends', (at) => {
  const padded = HEAD + ' '.repeat(Math.max(0, at - HEAD.length));
  const alloc = `{"${'ab'.repeat(20)}":{"balance":"0x1"}${' '.repeat(PIECE_BYTES)}}`;
  const genesis = readGenesisFile(write(`${padded}"alloc":${alloc}}`));
  expect(genesis.definition.chainId).toBe(7);
  expect(genesis.allocKey).toBe(createHash('sha256').update(alloc).digest('hex'));
  expect(genesis.alloc()).toEqual({ [`0x${'ab'.repeat(20)}`]: { balance: '0x1' } });
});

test('an alloc is refused when the file changed after it was hashed', () => {
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

const TWICE = `${HEAD}\n"alloc":{\n"${'ab'.repeat(20)}":{"balance":"0x1"},\n`;
test.each([
  ['a header field', `${TWICE}"00":{}},\n"gasLimit":1}`, 'line 5, column 1: the key "gasLimit"'],
  [
    'a key of config',
    `{"alloc":{\n},"config":{"chainId":7,\n  "chainId":8}}`,
    'line 3, column 3: the key "config.chainId"',
  ],
  ['an unknown key', `{"x":1,"alloc":{},"x":1}`, 'line 1, column 19: the key "x"'],
  ['a key within a list', `{"x":[0,{"y":1,"y":1}],"alloc":{}}`, 'line 1, column 16: the key "x.1.y"'],
  ['the alloc', `${HEAD}"alloc":{},\n"alloc":{}}`, 'line 2, column 1: the key "alloc"'],
  ['the alloc, in other characters', `${HEAD}"alloc":{},"\\u0061lloc":{}}`, 'the key "alloc"'],
  ['an address', `${TWICE}"${'ab'.repeat(20)}":{}}}`, `line 4, column 1: the key "alloc.${'ab'.repeat(20)}"`],
  ['a balance', `${HEAD}"alloc":{"ab":{"balance":1,\n"balance":2}}}`, 'line 2, column 1: the key "alloc.ab.balance"'],
  ['a slot', `${HEAD}"alloc":{"ab":{"storage":{"0x1":"0x1","0x1":"0x1"}}}}`, 'the key "alloc.ab.storage.0x1"'],
])('a file that has %s twice in one spelling is refused with its path and line', (_, text, words) => {
  const path = write(text);
  const read = () => readGenesisFile(path).alloc();
  expect(read).toThrow(`cannot use the genesis file ${path}`);
  const message = messageOf(failureOf(read));
  expect(message).toContain(`${words} stands here twice`);
  expect(message).not.toContain('\n');
});

test('a file that is nested too deeply to be searched for keys is refused', () => {
  const path = write(`${HEAD}"x":${'['.repeat(200_000)}${']'.repeat(200_000)},"alloc":{}}`);
  expect(messageOf(failureOf(() => readGenesisFile(path)))).toContain('nested too deeply');
});

function failureOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

test('a folder cannot be read as a genesis file', () => {
  expect(failureOf(() => readGenesisFile(folder))).toMatchObject({
    ...{ code: 'genesis', exit: 2, data: { path: folder }, cause: { code: 'EISDIR' } },
    message: `cannot read the genesis file ${folder}`,
  });
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

test('the genesis reader lists the keys that it does not know, and takes null for an absent field', () => {
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

const OWN = `0x${'ab'.repeat(20)}`;
const CHAIN = { ...CONFIG, terminalTotalDifficulty: undefined };
const ROLLUP = { ...CHAIN, pragueTime: 0, optimism: { eip1559Elasticity: 6, eip1559Denominator: 50 } };
const UP_TO_ISTHMUS = Object.fromEntries(
  ['regolith', 'canyon', 'ecotone', 'fjord', 'granite', 'holocene', 'isthmus'].map((fork) => [`${fork}Time`, 0]),
);

test.each([
  ['a negative balance', { [OWN]: { balance: '-1' } }, `alloc.${OWN}.balance: expected a number of at most 256 bits`],
  ['a negative balance in JSON', { [OWN]: { balance: -1 } }, `alloc.${OWN}.balance: expected a number of at most 256`],
  ['a balance of 257 bits', { [OWN]: { balance: `${2n ** 256n}` } }, `alloc.${OWN}.balance: expected a number`],
  ['a nonce of 65 bits', { [OWN]: { nonce: `${2n ** 64n}` } }, `alloc.${OWN}.nonce: expected a number of at most 64`],
  ['a short address', { '0x12': {} }, 'alloc.0x12: expected an address of 20 bytes'],
  [
    'one address in two spellings',
    { [OWN]: {}, ['AB'.repeat(20)]: {} },
    `alloc.${'AB'.repeat(20)}: the address stands`,
  ],
  ['half a byte of code', { [OWN]: { code: '0x123' } }, `alloc.${OWN}.code: expected 0x and whole bytes`],
  ['code that is no hex', { [OWN]: { code: '6001' } }, `alloc.${OWN}.code: expected 0x and whole bytes`],
  [
    'a word of 33 bytes',
    { [OWN]: { storage: { '0x1': `0x${'01'.repeat(33)}` } } },
    `alloc.${OWN}.storage.0x1: expected`,
  ],
  ['one slot in two spellings', { [OWN]: { storage: { '0x1': '0x1', '01': '0x2' } } }, `.storage.01: the slot stands`],
  ['an account that is none', { [OWN]: null }, `alloc.${OWN}: expected a map with balance`],
  ['a list instead of accounts', [], 'alloc: expected a map of accounts by address'],
  ['null instead of accounts', null, 'alloc: expected a map of accounts by address'],
])('an alloc with %s is refused in one line that names the key', (_, alloc, message) => {
  const text = JSON.stringify({ config: CONFIG, gasLimit: '0x1', alloc });
  const path = write(text);
  expect(() => readGenesisFile(path).alloc()).toThrow(`cannot use the genesis file ${path}: `);
  expect(() => readGenesisFile(path).alloc()).toThrow(message);
});

test('an alloc is read as published files have it: large numbers, bare addresses, keys of other programs', () => {
  const text = JSON.stringify({
    config: CONFIG,
    gasLimit: '0x1',
    alloc: {
      ['AB'.repeat(20)]: { balance: 1, secretKey: '0x01', comment: 'x', storage: { '1': '0x0a', '0x02': '3' } },
    },
  }).replace('"balance":1', '"balance":200000000000000000000000000000000001');
  const alloc = readGenesisFile(write(text)).alloc();
  expect(alloc).toEqual({
    [OWN]: {
      balance: `0x${(2n * 10n ** 35n + 1n).toString(16)}`,
      storage: {
        [`0x${'0'.repeat(63)}1`]: `0x${'0'.repeat(62)}0a`,
        [`0x${'0'.repeat(63)}2`]: `0x${'0'.repeat(63)}3`,
      },
    },
  });
});

test.each([
  [
    'Ethereum forks out of order',
    { ...CONFIG, cancunTime: 3, shanghaiTime: 5 },
    'config.cancunTime is 3, before config.shanghaiTime, which is 5',
  ],
  [
    'a missing Ethereum fork',
    { ...CONFIG, shanghaiTime: null },
    'config.shanghaiTime is missing below config.cancunTime',
  ],
  [
    'a time that is no number',
    { ...CONFIG, cancunTime: '0x5' },
    'config.cancunTime: expected a whole number of seconds from 0, found "0x5"',
  ],
  [
    'a negative time',
    { ...CONFIG, cancunTime: -1 },
    'config.cancunTime: expected a whole number of seconds from 0, found -1',
  ],
  ['a chain id that is none', { ...CONFIG, chainId: 1.5 }, 'config.chainId: expected a whole number from 1, found 1.5'],
  [
    'a deposit contract that is none',
    { ...CONFIG, depositContractAddress: '0x12' },
    'config.depositContractAddress: expected an address',
  ],
  [
    'rollup forks out of order',
    { ...ROLLUP, ...UP_TO_ISTHMUS, graniteTime: 5, holoceneTime: 3 },
    'config.holoceneTime is 3, before config.graniteTime',
  ],
  [
    'a missing rollup fork',
    { ...ROLLUP, ...UP_TO_ISTHMUS, fjordTime: undefined },
    'config.fjordTime is missing below config.graniteTime',
  ],
  [
    'an Ethereum fork at another time than its rollup fork',
    { ...ROLLUP, ...UP_TO_ISTHMUS, cancunTime: 9 },
    'config.cancunTime is 9',
  ],
  [
    'no elasticity',
    { ...ROLLUP, ...UP_TO_ISTHMUS, optimism: { eip1559Denominator: 50 } },
    'config.optimism.eip1559Elasticity',
  ],
  [
    'a denominator of 0',
    { ...ROLLUP, ...UP_TO_ISTHMUS, optimism: { eip1559Elasticity: 6, eip1559Denominator: 0 } },
    'config.optimism.eip1559Denominator: expected a whole number from 1, found 0',
  ],
  ['a list', [], 'config: expected a map'],
])('a config with %s is refused in one line that names the key', (_, config, message) => {
  const path = write(JSON.stringify({ config, gasLimit: '0x1', alloc: {} }));
  expect(() => readGenesisFile(path)).toThrow(`cannot use the genesis file ${path}: ${message}`);
});

test('a config may have the unused keys of published files', () => {
  const config = {
    ...ROLLUP,
    ...UP_TO_ISTHMUS,
    homesteadBlock: 0,
    bedrockBlock: 0,
    ethash: {},
    interopTime: null,
    x: 'y',
  };
  expect(readGenesisFile(write(JSON.stringify({ config, gasLimit: '0x1', alloc: {} }))).definition.chainId).toBe(7);
});

test('an alloc with escaped text, nested lists and keys named alloc is read whole', () => {
  const alloc = { '\\"}': [{ alloc: ['{', ']', '\\'] }], alloc: { alloc: '"' } };
  const before = JSON.stringify({ config: { ...CONFIG, alloc: { a: 1 } }, extraData: '0x', more: 'alloc' }).slice(
    0,
    -1,
  );
  const genesis = readGenesisFile(write(`${before}, "alloc" :\n${JSON.stringify(alloc)} ,\n"gasLimit":"0x5"}`));
  expect(genesis.definition.fields.gasLimit).toBe(5n);
  expect(genesis.allocKey).toBe(
    createHash('sha256')
      .update(`\n${JSON.stringify(alloc)} `)
      .digest('hex'),
  );
  expect(() => genesis.alloc()).toThrow(
    /alloc\.\\"}: expected an address of 20 bytes; alloc\.alloc: expected an address/,
  );
});
