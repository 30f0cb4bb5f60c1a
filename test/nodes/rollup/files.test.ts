import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAdminState } from '../../../src/nodes/rollup/driver/admin-state.ts';
import { openSafeDb } from '../../../src/nodes/rollup/driver/safedb.ts';
import { loadBlobSchedule } from '../../../src/nodes/rollup/l1/blob-schedule.ts';
import { loadBundles, loadRollupConfig } from '../../../src/nodes/rollup/options/config.ts';
import { readOrCreateKey } from '../../../src/nodes/rollup/p2p/key.ts';
import { l1ChainConfig, rollupConfig } from '../../../src/protocol/genesis/index.ts';
import { L1_HARDFORKS } from '../../../src/protocol/genesis/inputs.ts';
import type { Hex, L1Header } from '../../../src/protocol/types.ts';
import { chainInputs, contracts, upTo } from '../../protocol/genesis/inputs.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollup-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hash = (number: number) => `0x${number.toString(16).padStart(64, '0')}` as Hex;
const id = (number: number) => ({ hash: hash(number), number });
const write = (name: string, value: unknown) => {
  const path = join(folder, name);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
};

describe('rollup.json', () => {
  const config = rollupConfig(chainInputs({ schedule: upTo('granite') }), { l1: id(0), l2: id(1) }, contracts);

  it('is read back as it was written', () => {
    expect(loadRollupConfig(write('rollup.json', config), {})).toEqual(config);
  });

  it('has overrides in place of its times, 0 being genesis', () => {
    expect(loadRollupConfig(write('rollup.json', config), { holocene: 7 })).toEqual({ ...config, holocene_time: 7 });
    expect(loadRollupConfig(write('rollup.json', { ...config, holocene_time: 9 }), { holocene: 0 })).toMatchObject({
      holocene_time: 0,
    });
  });

  it('says that a chain keeps the gas of upgrade transactions; an override replaces that', () => {
    const keeping = write('rollup.json', { ...config, keep_karst_upgrade_gas: true });
    expect(loadRollupConfig(keeping, {})).toEqual({ ...config, keep_karst_upgrade_gas: true });
    const not = { keep_karst_upgrade_gas: false };
    expect(loadRollupConfig(keeping, {}, not)).toEqual({ ...config, ...not });
  });

  it('may use alternative DA, with a challenge contract when commitments are hashes', () => {
    const windows = { da_challenge_window: 160, da_resolve_window: 160 };
    const keccak = { da_commitment_type: 'KeccakCommitment', ...windows };
    const generic = { da_commitment_type: 'GenericCommitment', ...windows };
    const contract = { da_challenge_contract_address: `0x${'12'.repeat(20)}` };
    const load = (alt_da: object) => loadRollupConfig(write('rollup.json', { ...config, alt_da }), {}).alt_da;
    expect(load({ ...keccak, ...contract })).toEqual({ ...keccak, ...contract });
    expect(load(generic)).toEqual(generic);
    expect(() => load(keccak)).toThrow('da_challenge_contract_address');
    expect(() => load({ ...generic, ...contract })).toThrow('da_challenge_contract_address');
    expect(() => load({ ...generic, da_commitment_type: 'Other' })).toThrow('alt_da.da_commitment_type');
  });

  it('may name forks as null, and leave out what older files lack', () => {
    const {
      eip1559Params: _1,
      operatorFeeParams: _2,
      minBaseFee: _3,
      daFootprintGasScalar: _4,
      ...older
    } = config.genesis.system_config;
    const document = { ...config, genesis: { ...config.genesis, system_config: older }, jovian_time: null };
    expect(loadRollupConfig(write('rollup.json', document), {})).toEqual(config);
  });

  it.each([
    ['an unknown key', { holocen_time: 5 }, 'holocen_time'],
    ['a number for a flag', { keep_karst_upgrade_gas: 1 }, 'keep_karst_upgrade_gas'],
    ['a wrong type', { block_time: '2' }, 'block_time: expected a whole number'],
    ['a block time of zero', { block_time: 0 }, 'block_time'],
    ['a short address', { batch_inbox_address: '0x12' }, 'batch_inbox_address: expected 0x and 40 hex digits'],
    ['a fork before its predecessor', { isthmus_time: 5 }, 'isthmus activates before holocene does'],
  ])('is refused with %s', (_, changes, words) => {
    expect(() => loadRollupConfig(write('rollup.json', { ...config, ...changes }), {})).toThrow(words);
  });

  it('is refused with all its problems at once, and when it is not JSON', () => {
    const broken = write('rollup.json', { ...config, block_time: 'x', l2_chain_id: 'y' });
    expect(() => loadRollupConfig(broken, {})).toThrow(/block_time[\s\S]*l2_chain_id/);
    expect(() => loadRollupConfig(write('text.json', 'block_time: 2'), {})).toThrow('text.json');
    expect(() => loadRollupConfig(join(folder, 'nowhere.json'), {})).toThrow('nowhere.json');
  });

  it('needs bundles for forks that activate after genesis, and only for those', () => {
    const later = { ...config, holocene_time: config.genesis.l2_time + 2, isthmus_time: config.genesis.l2_time + 4 };
    expect(loadBundles(config, undefined)).toEqual({});
    expect(() => loadBundles(later, undefined)).toThrow('isthmus activates after genesis');
    const transaction = { intent: 'Deploy', from: `0x${'11'.repeat(20)}`, gasLimit: 100, data: '0x6000' };
    write('isthmus.json', { metadata: { version: '1' }, transactions: [transaction] });
    expect(loadBundles(later, folder)).toEqual({
      isthmus: { metadata: { version: '1' }, transactions: [{ ...transaction, to: null }] },
    });
    write('isthmus.json', { metadata: { version: '1' }, transactions: [{ ...transaction, from: 1 }] });
    expect(() => loadBundles(later, folder)).toThrow('transactions.0.from');
  });
});

describe("L1's blob schedule", () => {
  const header = (timestamp: number) => ({ timestamp }) as L1Header;

  it('is that of the newest active fork, of a bare configuration or a genesis file', () => {
    const config = {
      ...l1ChainConfig({ chainId: 900, hardfork: 'prague' }),
      bpo1Time: 50,
      blobSchedule: {
        cancun: { baseFeeUpdateFraction: 1 },
        prague: { baseFeeUpdateFraction: 2 },
        bpo1: { baseFeeUpdateFraction: 3 },
      },
      pragueTime: 20,
    };
    for (const document of [config, { config, alloc: {} }]) {
      const schedule = loadBlobSchedule(write('l1.json', document));
      expect([0, 19, 20, 49, 50, 99].map((time) => schedule(header(time)))).toEqual([1n, 1n, 2n, 2n, 3n, 3n]);
    }
  });

  it('is that of the newest of several forks that are active from genesis on', () => {
    const fractions = { cancun: 3338477n, prague: 5007716n, osaka: 5007716n };
    for (const hardfork of L1_HARDFORKS) {
      const schedule = loadBlobSchedule(write('l1.json', l1ChainConfig({ chainId: 900, hardfork })));
      expect(schedule(header(1)), hardfork).toBe(fractions[hardfork]);
    }
  });

  it('is required', () => {
    expect(() => loadBlobSchedule(write('l1.json', { config: { chainId: 1 } }))).toThrow('no blobSchedule');
  });
});

describe('the safe head database', () => {
  it('knows the safe head at every L1 block, over restarts and cut-off writes', () => {
    const path = join(folder, 'safe', 'db');
    const first = openSafeDb(path);
    first.note(id(10), id(1));
    first.note(id(10), id(2));
    first.note(id(12), id(5));
    appendFileSync(path, '{"l1Block":{"hash"');
    const again = openSafeDb(path);
    expect([9, 10, 11, 12, 99].map((number) => again.at(number)?.safeHead.number)).toEqual([undefined, 2, 2, 5, 5]);
    again.truncate(2);
    again.note(id(13), id(6));
    expect([12, 13].map((number) => openSafeDb(path).at(number)?.safeHead.number)).toEqual([2, 6]);
  });

  it('answers as a list of all entries would', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(20), fc.nat(50)), { maxLength: 30 }), (steps) => {
        const path = join(folder, `db-${Math.random()}`);
        const db = openSafeDb(path);
        const sorted = steps.map(([l1, l2]) => [l1, l2] as const).sort(([a], [b]) => a - b);
        let last = -1;
        for (const [l1, l2] of sorted) {
          db.note(id(l1), id(l2));
          last = l2;
        }
        if (sorted.length > 0) expect(openSafeDb(path).at(20)?.safeHead.number).toBe(last);
      }),
      { numRuns: 40 },
    );
  });
});

describe('files of the node', () => {
  it('persist the changes of admin methods', () => {
    const path = join(folder, 'admin.json');
    expect(openAdminState(path).sequencerStarted).toBeUndefined();
    openAdminState(path).save({ sequencerStarted: false });
    expect(openAdminState(path).sequencerStarted).toBe(false);
    expect(openAdminState(undefined).sequencerStarted).toBeUndefined();
    expect(() => openAdminState(write('bad.json', '{"sequencerStarted":1}'))).toThrow('not an admin state');
  });

  it('create an absent key for its owner only, and refuse a malformed one', () => {
    const path = join(folder, 'p2p.key');
    const key = readOrCreateKey(path);
    expect(readOrCreateKey(path)).toEqual(key);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toMatch(/^[0-9a-f]{64}$/);
    expect(() => readOrCreateKey(write('short.key', 'abcd'))).toThrow('expected 64 hex digits, found 4 characters');
  });
});
