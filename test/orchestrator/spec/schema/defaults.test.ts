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

it('the schema for editors has a title', () => {
  expect(specJsonSchema()).toMatchObject({ title: 'rollup-devnet specification', type: 'object' });
});
