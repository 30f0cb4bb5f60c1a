import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { specJsonSchema, specSchema } from '../../../../src/orchestrator/spec/schema/spec.ts';

const OPTIONS = { launch: 'spawn', args: {}, env: {}, ports: {}, omit: {} };
const NODE = { role: 'verifier', el: OPTIONS, cl: { client: 'rollup-node', ...OPTIONS }, override: {} };

it('an empty spec has every default that depends on no other key', () => {
  expect(z.parse(specSchema, {})).toEqual({
    version: 1,
    seed: 0,
    ports: 'preferred',
    time: { genesis: 'now', clock: 'wall', rate: 1 },
    logs: { size: 50_000_000 },
    after: [],
    faults: false,
    dashboard: null,
    l1: {
      client: 'anvil',
      ...OPTIONS,
      chainId: 900,
      blockTime: 2,
      forks: {},
      blobSchedule: {},
      gasLimit: 60_000_000,
      finality: 'devnet',
      onExit: 'fail',
      alloc: null,
      beacon: { client: 'l1-beacon', ...OPTIONS },
    },
    chains: {
      main: {
        from: null,
        blockTime: 2,
        gasLimit: 30_000_000,
        sequenceWindow: 3600,
        systemConfig: {
          baseFeeScalar: 1368,
          blobBaseFeeScalar: 810_949,
          operatorFeeScalar: 0,
          operatorFeeConstant: 0,
          minBaseFee: 0,
          daFootprintGasScalar: 0,
        },
        forks: { base: 'jovian', times: {} },
        accounts: { count: 10, balance: '10000000000000000000000', mnemonic: null, addresses: [] },
        alloc: null,
        bundles: {},
        batcher: { client: 'batcher', ...OPTIONS, da: 'calldata' },
        proposer: {
          client: 'proposer',
          ...OPTIONS,
          system: 'output-oracle',
          finalization: 4,
          gameFinality: 1,
          challenger: null,
        },
        signer: null,
        altDa: null,
        conductor: null,
        onExit: 'fail',
        nodes: { sequencer: { ...NODE, role: 'sequencer' }, verifier: NODE },
      },
    },
  });
});

it('a spec is written as it was read', () => {
  const spec = {
    dashboard: { port: 9600 },
    logs: { size: '64 kB' },
    after: ['x', ['y', 'z']],
    l1: { alloc: 'a.json', env: { A: 'x', B: null } },
    chains: {
      a: {
        batcher: false,
        proposer: false,
        bundles: { jovian: 'j.json' },
        forks: { base: 'granite', holocene: '+20s', isthmus: { block: 4 }, jovian: 'never' },
        accounts: { balance: '1.5 gwei', addresses: [`0x${'ab'.repeat(20)}`] },
        nodes: { s: { role: 'sequencer', override: { jovian: 'now+5s' }, el: { omit: { 'l1.genesis': ['x'] } } } },
      },
    },
  };
  const writtenOf = (input: object) => JSON.parse(JSON.stringify(z.encode(specSchema, z.parse(specSchema, input))));
  const written = writtenOf(spec);
  expect(written).toMatchObject({
    ...spec,
    chains: { a: { ...spec.chains.a, accounts: { ...spec.chains.a.accounts, balance: '1500000000 wei' } } },
  });
  expect(written).not.toHaveProperty('chains.a.alloc');
  expect(writtenOf({ dashboard: true })).toMatchObject({ dashboard: true });
  expect(writtenOf({})).toMatchObject({ dashboard: false, logs: { size: '50 MB' } });
  expect(writtenOf({})).not.toHaveProperty('after');
});

it.each<[string, unknown, unknown]>([
  ['chains.main.conductor', true, { client: 'conductor', ...OPTIONS }],
  ['chains.main.conductor', false, null],
  ['chains.main.conductor', 'mine', { client: 'mine', ...OPTIONS }],
  ['chains.main.signer', {}, { client: 'signer', ...OPTIONS }],
  ['chains.main.signer', false, null],
  ['chains.main.altDa', null, { client: 'da-server', ...OPTIONS, challengeWindow: 16 }],
  ['chains.main.proposer.challenger', {}, { client: 'challenger', ...OPTIONS }],
  ['chains.main.proposer.challenger', false, null],
  ['chains.main.proposer.challenger.key', `0x${'aB'.repeat(32)}`, `0x${'ab'.repeat(32)}`],
  ['chains.main.accounts.addresses', [`0x${'Ab'.repeat(20)}`], [`0x${'ab'.repeat(20)}`]],
  ['chains.main.accounts.mnemonic', '  one\t two\nthree ', 'one two three'],
  ['chains.main.accounts.balance', 7, '7'],
  ['chains.main.nodes.b', null, NODE],
  ['chains.main.nodes.b.el', 'mine', { client: 'mine', ...OPTIONS }],
  ['l1.env', { A: 5, B: true, C: null, D: 'x' }, { A: '5', B: 'true', C: null, D: 'x' }],
  ['dashboard', true, {}],
  ['time.genesis', 5, 5],
  ['place', { disk: 'ssd' }, { disk: 'ssd' }],
])('%s as %j has its value', (place, written, value) => {
  const keys = place.split('.');
  const document = keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), written);
  const spec: unknown = z.parse(specSchema, document);
  expect(keys.reduce((inner, key) => (inner as Record<string, unknown>)[key], spec)).toEqual(value);
});

it.each([
  { conductor: { client: 'mine' }, signer: {}, altDa: {}, proposer: { challenger: {} } },
  { conductor: false, signer: false, altDa: false, proposer: { challenger: false } },
  { from: { genesis: 'g', rollup: 'r' }, accounts: { mnemonic: 'one two' } },
])('the chain %j is read as the same when it is written', (chain) => {
  const spec = z.parse(specSchema, { chains: { main: chain } });
  const written = JSON.parse(JSON.stringify(z.encode(specSchema, spec)));
  expect(z.parse(specSchema, written)).toEqual(spec);
  expect(written).toMatchObject({ chains: { main: chain } });
});

it('the schema for editors has a title', () => {
  expect(specJsonSchema()).toMatchObject({ title: 'rollup-devnet specification', type: 'object' });
});
