import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { specJsonSchema, specSchema } from '../../../../src/orchestrator/spec/schema/spec.ts';

/** A value at a place of a spec, the keys before it around it. */
const nested = (place: string, value: unknown): object =>
  place.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;
const isAccepted = (place: string, value: unknown) => z.safeParse(specSchema, nested(place, value)).success;

const CHAIN = 'chains.main';
const EL = `${CHAIN}.nodes.b.el`;
const CL = `${CHAIN}.nodes.b.cl`;
const U32 = 2 ** 32 - 1;
const MAX = Number.MAX_SAFE_INTEGER;

describe('a number of a spec', () => {
  it.each([
    ['l1.port', 1, 65_535],
    ['l1.chainId', 1, MAX],
    ['l1.blockTime', 1, 3600],
    ['l1.ports.rpc', 1, 65_535],
    ['seed', 0, MAX],
    ['dashboard.port', 1, 65_535],
    [`${CHAIN}.chainId`, 1, MAX],
    [`${CHAIN}.blockTime`, 1, 3600],
    [`${CHAIN}.gasLimit`, 2_000_000, 1_000_000_000],
    [`${CHAIN}.sequenceWindow`, 5, 1_000_000],
    [`${CHAIN}.systemConfig.baseFeeScalar`, 0, U32],
    [`${CHAIN}.systemConfig.blobBaseFeeScalar`, 0, U32],
    [`${CHAIN}.systemConfig.operatorFeeScalar`, 0, U32],
    [`${CHAIN}.systemConfig.operatorFeeConstant`, 0, MAX],
    [`${CHAIN}.systemConfig.minBaseFee`, 0, MAX],
    [`${CHAIN}.systemConfig.daFootprintGasScalar`, 0, 65_535],
    [`${CHAIN}.accounts.count`, 0, 1000],
    [`${CHAIN}.nodes.b.count`, 1, 50],
    [`${CHAIN}.proposer.interval`, 1, 10_000_000],
    [`${CHAIN}.proposer.gameClock`, 1, 10_000_000],
    [`${CHAIN}.proposer.finalization`, 1, 10_000_000],
    [`${CHAIN}.proposer.gameFinality`, 1, 10_000_000],
    [`${CHAIN}.altDa.challengeWindow`, 1, 1_000_000],
    ['l1.gasLimit', 2_000_000, 1_000_000_000],
    [`${CHAIN}.forks.karst.block`, 0, 1_000_000_000],
  ])('%s is whole, and from %i to %i', (place, least, most) => {
    expect([least - 1, least, most, most + 1, least + 0.5].map((value) => isAccepted(place, value))).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ['time.rate', [0.001, 1, 1000], [0, -1, 1001, '1']],
    ['time.genesis', [1, 'now'], [0, 1.5, 'later']],
    ['version', [1], [0, 2, '1']],
    ['dashboard', [true, false, {}], [null, 1, { x: 1 }]],
    [`${EL}.limits.cpus`, [0.01, 1024], [0.009, 1025]],
    [`${EL}.limits.memory`, ['64 kB', '1000 GB'], ['63 kB', 5]],
    ['logs.size', ['64 kB', 64_000], [63_999, '1001 GB']],
    ['faults', [true, false], [null, 'x', 1]],
    [`${CHAIN}.batcher`, [false, {}], [true, 5]],
    [`${CHAIN}.proposer`, [false, {}], [true, 5]],
    [`${CHAIN}.proposer.challenger`, [false, {}, null, 'x'], [true, 5]],
    [`${CHAIN}.signer`, [false, {}, null, 'x'], [true, 5]],
    [`${CHAIN}.altDa`, [false, {}, null, 'x'], [true, 5]],
    [`${CHAIN}.conductor`, [false, true, {}, null, 'x'], [5]],
    [`${CHAIN}.forks.karst`, ['genesis', 'never', '+20s', 5, { block: 1 }], ['later', 1.5, null, { block: 1, x: 1 }]],
    [`${CHAIN}.nodes.b.override.karst`, ['genesis', '+1m'], ['later', {}]],
    [`${CHAIN}.forks.bedrock`, [], ['genesis', '+1m', 'never']],
    ['l1.forks.base', ['cancun', 'prague', 'osaka'], ['london', 5]],
    ['l1.forks.osaka', ['genesis', '+20s', { block: 1 }], ['later', 1.5]],
    [`${CHAIN}.forks.base`, ['bedrock', 'karst'], ['nope', 5]],
    [`${CHAIN}.accounts.balance`, ['1 ether', 7], ['1 eth', 1.5, null]],
  ])('%s is one of its values', (place, accepted, refused) => {
    expect(accepted.filter((value) => !isAccepted(place, value))).toEqual([]);
    expect(refused.filter((value) => isAccepted(place, value))).toEqual([]);
  });
});

describe('text of a spec', () => {
  const label = (length: number) => 'a'.repeat(length);
  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ['name', ['a', '0-', label(39)], ['', '-a', 'A', 'a_', 'a\n', label(40)]],
    ['runtime', ['embedded', 'process', 'docker'], ['vm', '']],
    ['ports', ['preferred', 'fixed', 'auto'], ['none']],
    ['time.clock', ['wall', 'instant', 'stepped'], ['sun']],
    ['l1.hardfork', ['cancun', 'prague', 'osaka'], ['london']],
    ['l1.finality', ['devnet', 'real'], ['none']],
    ['l1.onExit', ['fail', 'restart', 'ignore'], ['stop']],
    ['l1.launch', ['spawn', 'manual'], ['none']],
    ['base', ['x'], ['', 'a\0b']],
    ['place.disk', ['ssd', 'a.b-c_d', label(63), 'a'], ['', '-a', 'a-', 'a b', label(64)]],
    [`${CHAIN}.peers`, ['mesh', 'ring', 'star', 'random:2', 'random:9', 'random:10', 'random:50'], []],
    [`${CHAIN}.peers`, [], ['xmesh', 'meshx', 'random:1', 'random:51', 'random:60', 'random:', 'random:02']],
    [`${CHAIN}.batcher.da`, ['calldata', 'blobs'], ['alt']],
    [`${CHAIN}.proposer.system`, ['output-oracle', 'dispute-games'], ['x']],
    [`${CHAIN}.nodes.b.role`, ['sequencer', 'verifier'], ['x']],
    [`${CHAIN}.accounts.mnemonic`, ['one two', ' one '], ['', 'a\0b', 5, null]],
    [`${CHAIN}.proposer.challenger.key`, [`0x${'aB'.repeat(32)}`], [`0x${'a'.repeat(63)}`, `0x${'a'.repeat(65)}`]],
    [`${CHAIN}.proposer.challenger.key`, [], ['a'.repeat(64), `x0x${'a'.repeat(64)}`, `0x${'g'.repeat(64)}`, 5]],
    [`${CHAIN}.from`, [{ genesis: 'g', rollup: 'r' }], [null, { genesis: 'g' }, { genesis: 'g', rollup: 'r', x: 1 }]],
    [`${CHAIN}.bundles`, [{ karst: 'k' }, {}], [{ nope: 'k' }, { karst: 5 }]],
    [`${CHAIN}.alloc`, ['a'], ['', 5, null]],
    [`${CHAIN}.nodes.b.peers`, [['a'], []], ['a', [5]]],
    ['otel', [{ endpoint: 'https://x' }], [{ endpoint: 'ftp://x' }, {}, { endpoint: 'http://x', y: 1 }]],
    ['abi', ['a'], ['', 5]],
    [`${CHAIN}.accounts.addresses`, [[`0x${'aB'.repeat(20)}`], []], [['0x12'], [`0x${'a'.repeat(41)}`], [5]]],
    [`${CHAIN}.accounts.addresses`, [], [[`0x0x${'a'.repeat(40)}`], ['a'.repeat(40)], [`0x${'g'.repeat(40)}`]]],
    [`${CHAIN}.proposer.challenger.key`, [], [`0x0x${'a'.repeat(64)}`]],
    [`${EL}.image`, ['a', 'example.org/op-reth:v1@sha+1', label(255)], ['', '-a', 'a b', label(256)]],
    [`${EL}.external`, [{ http: 'http://x', engine: 'ws://x:1', jwt: 'j', ws: 'wss://x' }], []],
    [
      `${EL}.external`,
      [],
      [
        { http: 'ws://x', engine: 'ws://x', jwt: 'j' },
        { http: 'http://', engine: 'ws://x', jwt: 'j' },
      ],
    ],
    [`${CL}.external`, [{ rpc: 'https://x/y', p2p: '/ip4/1' }], [{ rpc: 'xhttp://x' }, { rpc: 'http:// x' }, {}]],
    [`${EL}.args`, [{ 'http.api': 'x', a: '', b: 5, c: true, d: null, e: ['x', 1] }], [{ '--a': 1 }, { a: 'x\0' }]],
    [`${EL}.args`, [{ a_b: 1 }], [{ 'a b': 1 }, { '': 1 }, { a: [true] }, { a: {} }, { a: [''] }]],
    [`${EL}.env`, [{ A_1: 'x', _b: 1, c: true, d: null, DEVNET_HOMES: 1 }], [{ DEVNET_HOME: 1 }, { DEVNET_NAME: 1 }]],
    [`${EL}.env`, [{ MY_DEVNET_NAME: '' }], [{ '1A': 1 }, { 'A-B': 1 }, { A: [] }, { A: 'x\0' }]],
    [
      `${EL}.omit`,
      [{ 'chain.rollup': ['abc.def', 'c'] }, {}],
      [
        { other: ['a'] },
        ...['.ab', 'ab.', 'ab..cd', '', '.', 'a\0', 'ab.cd\0'].map((path) => ({ 'chain.rollup': [path] })),
      ],
    ],
    ['after', [['a line', ['program', 'x']], []], [[''], [[]], ['a\0'], 'a line']],
  ])('%s is one of its values', (place, accepted, refused) => {
    expect(accepted.filter((value) => !isAccepted(place, value))).toEqual([]);
    expect(refused.filter((value) => isAccepted(place, value))).toEqual([]);
  });
});

describe('a map of a spec', () => {
  it.each([
    '',
    'time',
    'logs',
    'dashboard',
    'l1',
    'l1.beacon',
    CHAIN,
    `${CHAIN}.systemConfig`,
    `${CHAIN}.accounts`,
    `${CHAIN}.forks`,
    'l1.forks',
    `${CHAIN}.bundles`,
    `${CHAIN}.batcher`,
    `${CHAIN}.proposer`,
    `${CHAIN}.nodes.b`,
    `${CHAIN}.nodes.b.override`,
    EL,
    CL,
    `${EL}.limits`,
    `${CHAIN}.signer`,
    `${CHAIN}.altDa`,
    `${CHAIN}.conductor`,
    `${CHAIN}.proposer.challenger`,
  ])('%s has no unknown key', (place) => {
    const at = place === '' ? 'unknown' : `${place}.unknown`;
    expect(isAccepted(at, 'x')).toBe(false);
  });

  it.each(['l1', 'l1.beacon', CHAIN, `${CHAIN}.batcher`, `${CHAIN}.proposer`, `${CHAIN}.nodes.b`, EL, CL])(
    '%s may be left empty',
    (place) => {
      const read = (value: unknown) => z.parse(specSchema, nested(place, value));
      expect(read(null)).toEqual(read({}));
    },
  );

  it.each([
    ...['l1', 'l1.beacon', `${CHAIN}.batcher`, `${CHAIN}.proposer`, EL, CL],
    ...['proposer.challenger', 'signer', 'altDa', 'conductor'].map((key) => `${CHAIN}.${key}`),
  ])('%s may be a client', (place) => {
    const read = (value: unknown) => z.parse(specSchema, nested(place, value));
    expect(read('mine')).toEqual(read({ client: 'mine' }));
  });
});

it.each([
  ['seed', -1, 'a whole number from 0 to 9007199254740991'],
  ['l1.blockTime', 0, 'a whole number from 1 to 3600 seconds'],
  ['base', 5, 'text'],
  ['version', 2, '1'],
  [`${CHAIN}.accounts.balance`, '1 eth', 'an amount such as 10000 ether, 5 gwei or 1000000 wei'],
  ['logs.size', '1 kB', 'a size from 64 kB to 1000 GB, such as 500 kB, 50 MB or 1 GB'],
])('%s as %j is refused with what is allowed', (place, value, allowed) => {
  const outcome = z.safeParse(specSchema, nested(place, value));
  expect(JSON.stringify(outcome.error?.issues)).toContain(`"message":"${allowed}"`);
});

it('an editor completes the times of a fork that are words', () => {
  expect(JSON.stringify(specJsonSchema())).toContain('"enum":["genesis","never"]');
});

it('the schema library makes no code at run time, which pages and programs may forbid', () => {
  expect(z.config().jitless).toBe(true);
});
