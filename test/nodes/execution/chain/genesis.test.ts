import { createAddressFromString } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import {
  chainRulesAt,
  defineChain,
  ethereumOf,
  genesisHeader,
  genesisState,
} from '../../../../src/nodes/execution/chain/genesis.ts';
import { EMPTY_TRIE_ROOT } from '../../../../src/protocol/execution/constants.ts';
import { PREDEPLOYS } from '../../../../src/protocol/execution/predeploys.ts';
import { keccak256 } from '../../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { type Alloc, GENESIS_TIME, genesisText, upTo } from '../support/genesis.ts';
import { L1_GENESIS } from '../support/l1-genesis.ts';
import { libraryCommon, libraryState } from '../support/library-state.ts';
import { stateOf } from '../support/memory-state.ts';
import { addressOf, hashOf } from '../views/sample-block.ts';

const CODE: Hex = '0x6001600255';
const PASSER = PREDEPLOYS.l2ToL1MessagePasser;
const word = (value: number | bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const ALLOC: Alloc = {
  [addressOf(1)]: { balance: '0x5', nonce: '0x7' },
  [addressOf(2)]: { balance: '123', code: CODE, storage: { [word(1)]: word(1), [word(2)]: word(2n ** 255n) } },
  [addressOf(3)]: { code: CODE, storage: { [word(1)]: word(256), [word(2)]: word(0) } },
  [addressOf(4)]: {},
  [PASSER]: { nonce: '0x1', code: '0x00', storage: { [word(3)]: word(0x0a00) } },
};
const nonzero = (alloc: Alloc): Alloc =>
  Object.fromEntries(
    Object.entries(alloc).map(([key, { storage = {}, ...rest }]) => [
      key,
      { ...rest, storage: Object.fromEntries(Object.entries(storage).filter(([, value]) => BigInt(value) !== 0n)) },
    ]),
  );

describe('the state of a genesis file', () => {
  it('has the roots that the EVM library computes', async () => {
    const library = await libraryState(libraryCommon('prague'), nonzero(ALLOC));
    const { root, stateRoot, messagePasserRoot, storageRoots } = genesisState(ALLOC);
    expect(bytesToHex(root)).toBe(bytesToHex(await library.getStateRoot()));
    expect(stateRoot).toBe(root);
    const rootOf = async (address: string) =>
      bytesToHex((await library.getAccount(createAddressFromString(address)))!.storageRoot);
    expect(bytesToHex(messagePasserRoot)).toBe(await rootOf(PASSER));
    expect([...storageRoots.values()].map(bytesToHex)).toEqual(await Promise.all(Object.keys(ALLOC).map(rootOf)));
  });

  it('is the same whatever the spelling of addresses and slots', () => {
    const { root } = genesisState(ALLOC);
    const bare = Object.entries(ALLOC).map(([key, { storage = {}, ...rest }]) => [
      key.slice(2).toUpperCase(),
      { ...rest, storage: Object.fromEntries(Object.entries(storage).map(([at, value]) => [`0x${+at}`, value])) },
    ]);
    expect(genesisState(Object.fromEntries(bare)).root).toEqual(root);
  });

  it('has each code once, by its hash', () => {
    const codes = genesisState(ALLOC).codes.map(({ hash, code }) => [bytesToHex(hash), bytesToHex(code)]);
    expect(codes).toEqual([CODE, '0x00' as const].map((code) => [keccak256(code), code]));
  });

  it('can be read', () => {
    const { reader } = stateOf(ALLOC);
    const accountOf = (address: Hex) => reader.account(hexToBytes(address));
    expect(accountOf(addressOf(1))).toMatchObject({ balance: 5n, nonce: 7n });
    expect(accountOf(addressOf(2))).toMatchObject({ balance: 123n, nonce: 0n });
    expect(accountOf(addressOf(4))).toMatchObject({ balance: 0n, nonce: 0n });
    expect(accountOf(addressOf(5))).toBeUndefined();
    expect(bytesToHex(reader.code(accountOf(addressOf(3))))).toBe(CODE);
    const read = (address: Hex, slot: number) => bytesToHex(reader.storage(accountOf(address), hexToBytes(word(slot))));
    expect([read(addressOf(3), 1), read(addressOf(3), 2), read(PASSER, 3)]).toEqual(['0x0100', '0x', '0x0a00']);
  });

  it('without accounts has empty roots', () => {
    const { root, messagePasserRoot, nodes, codes } = genesisState({});
    expect([root, messagePasserRoot].map(bytesToHex)).toEqual([EMPTY_TRIE_ROOT, EMPTY_TRIE_ROOT]);
    expect([nodes, codes]).toEqual([[], []]);
  });
});

const L1 = JSON.parse(L1_GENESIS) as { readonly config: Readonly<Record<string, unknown>> };
const failure = (message: string) =>
  expect.objectContaining({
    ...{ name: 'Failure', code: 'genesis', exit: 1, data: { path: 'genesis.json' } },
    message: `cannot use the genesis file genesis.json: ${message}`,
  });

describe('the definition of a chain', () => {
  it('of a rollup has its forks and its parameters of EIP-1559', () => {
    const text = genesisText(upTo('granite'));
    expect(defineChain(text, 'genesis.json')).toMatchObject({
      ...{ text, chainId: 901 },
      schedule: { regolith: 0, canyon: 0, ecotone: 0, fjord: 0, granite: 0 },
      optimism: { eip1559Elasticity: 6, eip1559Denominator: 50, eip1559DenominatorCanyon: 250 },
      fields: { timestamp: BigInt(GENESIS_TIME) },
      unknownKeys: [],
    });
    expect(defineChain(text, 'genesis.json')).not.toHaveProperty('ethereum');
    expect(defineChain(JSON.stringify({ ...JSON.parse(text), one: 1 }), '').unknownKeys).toEqual(['one']);
  });

  it('of plain Ethereum has the forks of Ethereum alone', () => {
    const { optimism, schedule, ethereum } = defineChain(L1_GENESIS, 'genesis.json');
    expect([optimism, schedule]).toEqual([undefined, {}]);
    expect(ethereum!.schedule).toMatchObject({ shanghai: 0, cancun: 0, prague: 0 });
  });

  it.each([
    ['no JSON', '{', 'it is not valid JSON'],
    ['a list', '[]', 'expected a map with config, alloc and header fields'],
    ['no config', '{"gasLimit":1}', 'config: expected a map with chainId and the times of forks'],
    [
      'two faults',
      '{"config":{"chainId":0}}',
      'config.chainId: expected a whole number from 1, found 0; ' +
        'gasLimit is missing: expected an integer below 2^64, as a number or as decimal or 0x text',
    ],
  ])('is refused for a file with %s', (_, text, message) => {
    expect(() => defineChain(text, 'genesis.json')).toThrow(failure(message));
  });

  it('names what the JSON lacks as the cause', () => {
    expect(() => defineChain('{', 'genesis.json')).toThrow(expect.objectContaining({ cause: expect.any(SyntaxError) }));
  });

  it('has the rules of the node’s fork times, or of plain Ethereum', () => {
    const rollup = defineChain(genesisText(upTo('regolith')), 'genesis.json');
    const later = { ...upTo('regolith'), canyon: GENESIS_TIME + 9 };
    expect([8, 9].map((at) => chainRulesAt(rollup, later, GENESIS_TIME + at).evm)).toEqual(['paris', 'shanghai']);
    const ethereum = defineChain(L1_GENESIS, 'genesis.json');
    expect(chainRulesAt(ethereum, upTo('regolith'), GENESIS_TIME).evm).toBe('prague');
  });

  it('has a header of the forks that are active at its time', () => {
    const roots = { stateRoot: hexToBytes(hashOf(1)), messagePasserRoot: hexToBytes(hashOf(2)) };
    const headerOf = (fork: Parameters<typeof upTo>[0]) =>
      genesisHeader(defineChain(genesisText(upTo(fork)), 'genesis.json'), roots);
    expect(headerOf('isthmus')).toMatchObject({ number: 0, stateRoot: hashOf(1), withdrawalsRoot: hashOf(2) });
    expect(headerOf('canyon')).toMatchObject({ withdrawalsRoot: EMPTY_TRIE_ROOT });
    expect(headerOf('regolith')).not.toHaveProperty('withdrawalsRoot');
  });
});

describe('a plain Ethereum chain', () => {
  const chainOf = (config: object) => ethereumOf({ ...L1.config, ...config }, 'genesis.json');

  it.each([0, '0', '0x0', null, undefined])('begins after the merge with a total difficulty of %s', (difficulty) => {
    expect(chainOf({ terminalTotalDifficulty: difficulty }).schedule).toMatchObject({ shanghai: 0 });
  });

  it.each([1, '1', '0x1'])('before the merge is refused: a total difficulty of %s', (difficulty) => {
    const message =
      'it has no config.optimism, and a plain Ethereum chain must be past the merge: terminalTotalDifficulty 0';
    expect(() => chainOf({ terminalTotalDifficulty: difficulty })).toThrow(failure(message));
  });

  it.each(['bpo0Time', 'bpo6Time', 'bpo9Time', 'bpo10Time', 'bpo123Time', 'amsterdamTime'])(
    'is refused with %s, a fork that is not implemented',
    (key) => {
      for (const time of [5, 0])
        expect(() => chainOf({ [key]: time })).toThrow(
          failure(`config.${key} is a fork that this program does not implement`),
        );
      expect(chainOf({ [key]: null }).schedule).toMatchObject({ shanghai: 0 });
    },
  );

  it.each(['xbpo6Time', 'bpo6Times', 'bpo1Time', 'bpo1xTime', 'bpoTime'])('may have the key %s', (key) => {
    expect(chainOf({ [key]: 5 }).schedule).toMatchObject({ shanghai: 0 });
  });

  it('is refused with unsound blob counts, and each is named', () => {
    const blobSchedule = { cancun: { target: 3, max: 0 }, prague: { target: 6, max: 5 } };
    expect(() => chainOf({ blobSchedule })).toThrow(
      failure(
        'config.blobSchedule.cancun.max: expected a whole number from 1; ' +
          'config.blobSchedule.prague: its max of 5 blobs is below its target of 6',
      ),
    );
  });

  it('has the blob counts that it states', () => {
    const blobSchedule = { prague: { target: 1, max: 2 } };
    expect(chainOf({ blobSchedule }).rulesAt(GENESIS_TIME).ethereum?.blobs).toMatchObject({ target: 1, max: 2 });
  });

  it('has its deposit contract in lower case, or none', () => {
    const upper = 'AB'.repeat(20);
    expect(chainOf({ depositContractAddress: `0x${upper}` }).depositContract).toBe(`0x${upper.toLowerCase()}`);
    for (const none of [null, undefined])
      expect(chainOf({ depositContractAddress: none }).depositContract).toBeUndefined();
  });

  it.each(['0x12', 7, `x0x${'ab'.repeat(20)}`, `0x${'ab'.repeat(21)}`, `0x${'xy'.repeat(20)}`, ''])(
    'is refused with the deposit contract %s',
    (contract) => {
      expect(() => chainOf({ depositContractAddress: contract })).toThrow(
        failure(`config.depositContractAddress: expected an address of 20 bytes, found ${contract}`),
      );
    },
  );
});
