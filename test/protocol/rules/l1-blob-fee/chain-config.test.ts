import { describe, expect, test } from 'vitest';
import { blobScheduleOf } from '../../../../src/protocol/rules/l1-blob-fee/chain-config.ts';
import type { L1Header } from '../../../../src/protocol/types.ts';

const header = (timestamp: number): L1Header => ({
  hash: '0x01',
  parentHash: '0x00',
  number: 1,
  timestamp,
  baseFeePerGas: 1n,
  mixHash: '0x03',
});

const entry = (baseFeeUpdateFraction: unknown) => ({ target: 6, max: 9, baseFeeUpdateFraction });
const config = {
  cancunTime: 100,
  pragueTime: 200,
  osakaTime: 300,
  bpo1Time: 400,
  blobSchedule: { cancun: entry(11), prague: entry(22), osaka: entry(33), bpo1: entry(44) },
};

describe('the blob schedule of a chain configuration (EIP-7840)', () => {
  test.each([
    [99, 11n],
    [100, 11n],
    [199, 11n],
    [200, 22n],
    [201, 22n],
    [300, 33n],
    [399, 33n],
    [400, 44n],
    [2 ** 40, 44n],
  ])('at the time %d has the fraction %d of the newest active fork', (time, fraction) => {
    expect(blobScheduleOf(config)!(header(time))).toBe(fraction);
    expect(blobScheduleOf({ config, alloc: {} })!(header(time))).toBe(fraction);
  });

  // The forks of Ethereum with blob parameters, oldest first.
  const ORDER = ['cancun', 'prague', 'osaka', 'bpo1', 'bpo2', 'bpo3', 'bpo4', 'bpo5', 'amsterdam'];
  test.each(ORDER.slice(1).map((fork, at) => [ORDER[at]!, fork] as const))(
    'of %s and %s at one time has the fraction of the newer one, in any order of the entries',
    (older, newer) => {
      const times = { [`${older}Time`]: 5, [`${newer}Time`]: 5 };
      for (const blobSchedule of [
        { [older]: entry(1), [newer]: entry(2) },
        { [newer]: entry(2), [older]: entry(1) },
      ])
        expect(blobScheduleOf({ ...times, blobSchedule })!(header(5))).toBe(2n);
    },
  );

  test('sorts forks by their time, not by their place in the file', () => {
    const { cancun, prague, osaka, bpo1 } = config.blobSchedule;
    const mixed = { ...config, blobSchedule: { osaka, cancun, bpo1, prague } };
    expect([100, 200, 300, 400].map((time) => blobScheduleOf(mixed)!(header(time)))).toEqual([11n, 22n, 33n, 44n]);
  });

  test.each<[string, object]>([
    ['without a time', { pragueTime: undefined }],
    ['whose time is text', { pragueTime: '200' }],
    ['whose fraction is zero', { blobSchedule: { ...config.blobSchedule, prague: entry(0) } }],
    ['without a fraction', { blobSchedule: { ...config.blobSchedule, prague: {} } }],
    ['whose entry is null', { blobSchedule: { ...config.blobSchedule, prague: null } }],
    ['without an entry', { blobSchedule: { ...config.blobSchedule, prague: undefined } }],
  ])('leaves out a fork %s', (_, change) => {
    expect(blobScheduleOf({ ...config, ...change })!(header(250))).toBe(11n);
  });

  test('reads a fork that is active from genesis on', () => {
    expect(blobScheduleOf({ cancunTime: 0, blobSchedule: { cancun: entry(7) } })!(header(0))).toBe(7n);
  });

  test.each<[unknown]>([
    [undefined],
    [null],
    ['text'],
    [{}],
    [{ config: null }],
    [{ cancunTime: 0 }],
    [{ cancunTime: 0, blobSchedule: null }],
    [{ cancunTime: 0, blobSchedule: 'none' }],
    [{ cancunTime: 0, blobSchedule: {} }],
    [{ blobSchedule: { cancun: entry(7) } }],
  ])('is absent from %j', (document) => {
    expect(blobScheduleOf(document)).toBeUndefined();
  });
});
