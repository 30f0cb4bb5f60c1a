import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { readUpgradeBundle } from '../../../../src/protocol/genesis/file/bundle-file.ts';
import { forkDisorder, problemsOf, readRollupConfig } from '../../../../src/protocol/genesis/file/rollup-file.ts';

const hex = (byte: string, bytes: number) => `0x${byte.repeat(bytes)}`;
const SYSTEM = {
  batcherAddr: hex('aa', 20),
  overhead: hex('00', 32),
  scalar: hex('01', 32),
  gasLimit: 30_000_000,
};
const NEWER = { eip1559Params: hex('00', 8), operatorFeeParams: hex('00', 32), minBaseFee: 0, daFootprintGasScalar: 0 };
const FILE = {
  genesis: {
    l1: { hash: hex('11', 32), number: 1 },
    l2: { hash: hex('22', 32), number: 0 },
    l2_time: 1_700_000_000,
    system_config: SYSTEM,
  },
  block_time: 2,
  max_sequencer_drift: 600,
  seq_window_size: 3600,
  channel_timeout: 300,
  l1_chain_id: 900,
  l2_chain_id: 901,
  batch_inbox_address: hex('03', 20),
  deposit_contract_address: hex('04', 20),
  l1_system_config_address: hex('05', 20),
};
const READ = { ...FILE, genesis: { ...FILE.genesis, system_config: { ...SYSTEM, ...NEWER } } };
const ALT_DA = {
  da_commitment_type: 'KeccakCommitment',
  da_challenge_contract_address: hex('07', 20),
  da_challenge_window: 10,
  da_resolve_window: 11,
};
/** The file with a value at a path; undefined removes the key. */
function changed(path: string, value: unknown): unknown {
  const copy: Record<string, unknown> = JSON.parse(JSON.stringify(FILE));
  const keys = path.split('.');
  let at = copy;
  for (const key of keys.slice(0, -1)) at = at[key] as Record<string, unknown>;
  at[keys.at(-1)!] = value;
  return JSON.parse(JSON.stringify(copy));
}

/** The library's English is a setting of the process: a program that loads all of the library has it. */
const LOCALES = [
  ['without the library’s English', {}],
  ['with the library’s English', z.locales.en()],
] as const;

/** Sets the library's language for each test of a group. */
function speak(locale: { readonly localeError?: z.core.$ZodErrorMap }): void {
  const before = z.config().localeError;
  beforeEach(() => void z.config({ localeError: undefined, ...locale }));
  afterEach(() => void z.config({ localeError: before }));
}

describe.each(LOCALES)('rollup.json %s', (_, locale) => {
  speak(locale);

  it('of an older kind has zero for the newer keys of the system config', () => {
    expect(readRollupConfig(FILE)).toStrictEqual({ ok: true, value: READ });
  });

  it('has its hex in lower case, all keys that are known, and none that is null', () => {
    const system = {
      eip1559Params: hex('0A', 8),
      operatorFeeParams: hex('0B', 32),
      minBaseFee: 7,
      daFootprintGasScalar: 9,
    };
    const more = {
      protocol_versions_address: hex('06', 20),
      alt_da: ALT_DA,
      chain_op_config: { eip1559Elasticity: 6, eip1559Denominator: 50, eip1559DenominatorCanyon: 250 },
      regolith_time: 0,
      karst_time: 5,
      pectra_blob_schedule_time: 6,
      keep_karst_upgrade_gas: true,
    };
    const document = {
      ...FILE,
      ...more,
      batch_inbox_address: `0x${'0C'.repeat(20)}`,
      genesis: { ...FILE.genesis, system_config: { ...SYSTEM, ...system } },
      superchain_config_address: 1,
      da_challenge_contract_address: 'x',
      jovian_time: null,
    };
    const config = { ...SYSTEM, ...system, eip1559Params: hex('0a', 8), operatorFeeParams: hex('0b', 32) };
    expect(readRollupConfig(document)).toStrictEqual({
      ok: true,
      value: expect.objectContaining({ ...more, batch_inbox_address: hex('0c', 20) }),
    });
    expect(readRollupConfig(document)).toMatchObject({ value: { genesis: { system_config: config } } });
    expect(readRollupConfig(document)).not.toHaveProperty('value.jovian_time');
    expect(readRollupConfig({ ...FILE, alt_da: null })).toStrictEqual({ ok: true, value: READ });
  });

  it.each([
    ['block_time', 0, 'block_time: '],
    ['block_time', 1.5, 'block_time: expected a whole number'],
    ['seq_window_size', 0, 'seq_window_size: '],
    ['max_sequencer_drift', -1, 'max_sequencer_drift: '],
    ['channel_timeout', '300', 'channel_timeout: expected a whole number'],
    ['l1_chain_id', undefined, 'l1_chain_id: expected a whole number'],
    ['genesis.l2_time', 8_640_000_000_001, 'genesis.l2_time: expected a Unix time in seconds, at most 8640000000000'],
    ['genesis.l1.hash', hex('11', 31), 'genesis.l1.hash: expected 0x and 64 hex digits'],
    ['genesis.l1.hash', `x${hex('11', 32)}`, 'genesis.l1.hash: expected 0x and 64 hex digits'],
    ['genesis.l1.hash', `${hex('11', 32)}x`, 'genesis.l1.hash: expected 0x and 64 hex digits'],
    ['genesis.l2.number', -1, 'genesis.l2.number: '],
    ['genesis.system_config.gasLimit', -1, 'genesis.system_config.gasLimit: '],
    ['genesis.system_config.batcherAddr', 5, 'genesis.system_config.batcherAddr: expected 0x and 40 hex digits'],
    ['genesis.system_config.eip1559Params', '0x', 'genesis.system_config.eip1559Params: expected 0x and 16 hex digits'],
    ['genesis.system_config.operatorFeeParams', '0x', 'operatorFeeParams: expected 0x and 64 hex digits'],
    ['genesis.system_config.more', 1, 'genesis.system_config: unknown key "more"'],
    ['genesis.more', 1, 'genesis: unknown key "more"'],
    ['l1_system_config_address', [hex('05', 20)], 'l1_system_config_address: expected 0x and 40 hex digits'],
    ['null', 0, 'the document: unknown key "null"'],
    ['granit_time', 0, 'the document: unknown key "granit_time"'],
    ['granite_time', -1, 'granite_time: '],
    ['keep_karst_upgrade_gas', 1, 'keep_karst_upgrade_gas: expected boolean'],
    ['protocol_versions_address', '0x', 'protocol_versions_address: expected 0x and 40 hex digits'],
    ['chain_op_config', { eip1559Elasticity: 6 }, 'chain_op_config.eip1559Denominator: expected a whole number'],
    [
      'chain_op_config',
      { ...READ, eip1559Elasticity: 6, eip1559Denominator: 50 },
      'chain_op_config: unknown key "genesis"',
    ],
    ['alt_da', { ...ALT_DA, da_commitment_type: 'other' }, 'alt_da.da_commitment_type: '],
    ['alt_da', { ...ALT_DA, da_challenge_window: -1 }, 'alt_da.da_challenge_window: '],
    [
      'alt_da',
      { ...ALT_DA, da_challenge_contract_address: undefined },
      'alt_da: expected da_challenge_contract_address',
    ],
    [
      'alt_da',
      { ...ALT_DA, da_challenge_contract_address: hex('00', 20) },
      'alt_da: expected da_challenge_contract_address',
    ],
    [
      'alt_da',
      { ...ALT_DA, da_commitment_type: 'GenericCommitment' },
      'alt_da: expected da_challenge_contract_address',
    ],
  ])('is refused with %s %j', (path, value, problem) => {
    expect(readRollupConfig(changed(path, value))).toEqual({
      ok: false,
      problems: expect.arrayContaining([expect.stringContaining(problem)]),
    });
  });

  it.each([
    ['genesis.l2_time', 8_640_000_000_000],
    ['block_time', 1],
    ['seq_window_size', 1],
    ['max_sequencer_drift', 0],
    ['alt_da', { ...ALT_DA, da_commitment_type: 'GenericCommitment', da_challenge_contract_address: hex('00', 20) }],
    ['alt_da', { da_commitment_type: 'GenericCommitment', da_challenge_window: 0, da_resolve_window: 0 }],
    ['chain_op_config', { eip1559Elasticity: 6, eip1559Denominator: 50 }],
  ])('may have %s %j', (path, value) => {
    expect(readRollupConfig(changed(path, value)).ok).toBe(true);
  });

  it.each([null, 5, []])('is no %j', (document) => {
    expect(readRollupConfig(document)).toEqual({
      ok: false,
      problems: [expect.stringMatching(/^the document: expected object/)],
    });
  });

  it('names each fork that activates before its predecessor', () => {
    const read = readRollupConfig({ ...FILE, regolith_time: 0, canyon_time: 9, delta_time: 5, ecotone_time: 9 });
    if (!read.ok) throw new Error(read.problems.join());
    expect(forkDisorder(read.value)).toEqual(['delta activates before canyon does: forks keep their order']);
  });
});

it.each([
  [{ path: ['a', 0, 'b'], message: 'is wrong' }, 'a.0.b: is wrong'],
  [{ path: [], message: 'is wrong' }, 'the document: is wrong'],
  [{ path: ['a'], message: 'Invalid input', expected: 'string' }, 'a: expected string'],
  [{ path: ['a'], message: 'Invalid input' }, 'a: Invalid input'],
  [{ path: ['a'], message: 'is wrong', expected: 'string' }, 'a: is wrong'],
  [{ path: ['a'], message: 'x', keys: ['b', 'c'] }, 'a: unknown key "b", "c"'],
])('the message of a schema’s issue has its path: %j', (issue, message) => {
  expect(problemsOf([issue])).toEqual([message]);
});

describe.each(LOCALES)('upgrade bundle file %s', (_, locale) => {
  speak(locale);

  const transaction = { intent: 'Deploy', from: hex('AA', 20), to: hex('bb', 20), gasLimit: 5, data: '0xABcd' };
  const bundle = (changes: object) => ({
    metadata: { version: '1.0.0', note: 'x' },
    transactions: [{ ...transaction, ...changes }],
  });

  it.each([
    [{}, {}],
    [{ to: null }, { to: null }],
    [{ to: undefined }, { to: null }],
    [{ gasLimit: '12' }, { gasLimit: 12 }],
    [{ gasLimit: '0x1F' }, { gasLimit: 31 }],
    [{ gasLimit: 0 }, { gasLimit: 0 }],
    [{ data: '0x' }, { data: '0x' }],
  ])('with %j has a transaction with %j', (changes, expected) => {
    expect(readUpgradeBundle(bundle(changes))).toStrictEqual({
      ok: true,
      value: {
        metadata: { version: '1.0.0', note: 'x' },
        transactions: [{ ...transaction, from: hex('aa', 20), ...expected }],
      },
    });
  });

  it.each([
    [bundle({ gasLimit: '1x' }), 'transactions.0.gasLimit: '],
    [bundle({ gasLimit: 'x1' }), 'transactions.0.gasLimit: '],
    [bundle({ gasLimit: '' }), 'transactions.0.gasLimit: '],
    [bundle({ gasLimit: '+1' }), 'transactions.0.gasLimit: '],
    [bundle({ gasLimit: '1e3' }), 'transactions.0.gasLimit: '],
    [bundle({ gasLimit: '0x' }), 'transactions.0.gasLimit: '],
    [bundle({ gasLimit: -1 }), 'transactions.0.gasLimit: '],
    [bundle({ gasLimit: String(2n ** 60n) }), 'transactions.0.gasLimit: '],
    [bundle({ data: '0x1' }), 'transactions.0.data: expected 0x and pairs of hex digits'],
    [bundle({ data: 'z0x01' }), 'transactions.0.data: expected 0x and pairs of hex digits'],
    [bundle({ data: '0x01z' }), 'transactions.0.data: expected 0x and pairs of hex digits'],
    [bundle({ data: ['0x01'] }), 'transactions.0.data: expected 0x and pairs of hex digits'],
    [bundle({ data: 5 }), 'transactions.0.data: expected 0x and pairs of hex digits'],
    [bundle({ to: '0x' }), 'transactions.0.to: '],
    [bundle({ from: null }), 'transactions.0.from: expected 0x and 40 hex digits'],
    [bundle({ intent: 5 }), 'transactions.0.intent: expected string'],
    [{ ...bundle({}), metadata: {} }, 'metadata.version: expected string'],
    [{ metadata: { version: '1' } }, 'transactions: expected array'],
  ])('is refused: %j', (document, problem) => {
    expect(readUpgradeBundle(document)).toEqual({
      ok: false,
      problems: expect.arrayContaining([expect.stringContaining(problem)]),
    });
  });
});
