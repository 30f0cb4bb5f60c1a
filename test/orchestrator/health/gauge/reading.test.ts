import { describe, expect, it } from 'vitest';
import { readBlock, readChain, readNumber, readSyncStatus } from '../../../../src/orchestrator/health/gauge/reading.ts';

const LATEST = { number: '0x10', hash: '0xAB', parentHash: '0xCD', timestamp: '0x20' };

describe('the reading of optimism_syncStatus', () => {
  const answer = {
    unsafe_l2: { number: 9, hash: '0x09', timestamp: 90, l1origin: { number: 4, hash: '0x04' } },
    safe_l2: { number: 7, hash: '0x07', timestamp: 70 },
    finalized_l2: { number: 5, hash: '0x05', timestamp: 50 },
    current_l1: { number: 6, hash: '0x06', timestamp: 60 },
    finalized_l1: { number: 3, hash: '0x03', timestamp: 30 },
  };

  it('has each head by its gauge, and the numbers that finality needs', () => {
    expect(readSyncStatus('cl', answer)).toEqual({
      values: {
        'cl unsafe': { number: 9, hash: '0x09', time: 90 },
        'cl origin': { number: 4, hash: '0x04' },
        'cl derivation': { number: 6, hash: '0x06', time: 60 },
        'cl safe': { number: 7, hash: '0x07', time: 70 },
        'cl finalized': { number: 5, hash: '0x05', time: 50 },
      },
      finality: { gauge: 'cl finalized', derived: 6, finalL1: 3, safe: 7, finalized: 5 },
    });
  });

  it.each([
    [8, undefined],
    [9, true],
    [10, true],
  ])('has a safe head %i that is held when it has reached the unsafe head 9', (number, isHeld) => {
    const { values } = readSyncStatus('cl', { ...answer, safe_l2: { number } });
    expect(values['cl safe']).toEqual(isHeld === undefined ? { number } : { number, isHeld });
  });

  it.each(['unsafe_l2', 'safe_l2', 'finalized_l2', 'current_l1', 'finalized_l1'])(
    'leaves out what a client without %s does not say',
    (key) => {
      const { values, finality } = readSyncStatus('cl', { ...answer, [key]: null });
      const heads: Readonly<Record<string, readonly string[]>> = {
        unsafe_l2: ['unsafe', 'origin'],
        safe_l2: ['safe'],
        finalized_l2: ['finalized'],
        current_l1: ['derivation'],
      };
      const all = ['unsafe', 'origin', 'derivation', 'safe', 'finalized'];
      const left = all.filter((head) => heads[key]?.includes(head) !== true);
      expect(Object.keys(values)).toEqual(left.map((head) => `cl ${head}`));
      expect(finality !== undefined).toBe(key === 'unsafe_l2');
    },
  );

  it.each([null, 'busy', []])('is empty when the answer is %j', (text) => {
    expect(readSyncStatus('cl', text)).toEqual({ values: {} });
  });

  it.each(['7', 7.5, 2 ** 60, null])('has no head whose number is %j', (number) => {
    expect(readSyncStatus('cl', { safe_l2: { number, hash: '0x07' } })).toEqual({ values: {} });
  });

  it('has no hash that is no text', () => {
    expect(readSyncStatus('cl', { safe_l2: { number: 7, hash: 7 } })).toEqual({ values: { 'cl safe': { number: 7 } } });
  });
});

describe('the reading of a block', () => {
  it('has the number and the time that the hexadecimal texts say', () => {
    expect(readBlock('l1 head', LATEST)).toEqual({ values: { 'l1 head': { number: 16, hash: '0xAB', time: 32 } } });
    expect(readBlock('l1 head', { number: '0x10', hash: '0xAB' })).toEqual({
      values: { 'l1 head': { number: 16, hash: '0xAB' } },
    });
  });

  it.each([null, undefined, 'block', {}, { number: 'x' }])('is empty when the answer is %j', (answer) => {
    expect(readBlock('l1 head', answer)).toEqual({ values: {} });
  });
});

it.each([
  ['0', 0],
  ['17', 17],
  ['0x11', 17],
  ['', undefined],
  ['x', undefined],
  ['1.5', undefined],
  [17, undefined],
  [['17'], undefined],
])('the counter of %j is %s', (answer, number) => {
  expect(readNumber('a', answer)).toEqual({ values: number === undefined ? {} : { a: { number } } });
});

describe('the reading of an execution client', () => {
  it('has its head as gauge and as block, with the blocks that it has', () => {
    const others = [
      { number: '0x2', hash: '0xEF' },
      null,
      { number: '0x3' },
      { hash: '0x04' },
      { number: 5, hash: '0x05' },
    ];
    expect(readChain('el', [LATEST, ...others])).toEqual({
      values: { 'el head': { number: 16, hash: '0xAB', time: 32 } },
      chain: {
        head: { number: 16, hash: '0xab', parentHash: '0xcd', time: 32 },
        blocks: [{ number: 2, hash: '0xef' }],
      },
    });
  });

  it('has a head without a parent and with time 0 when the client does not say them', () => {
    expect(readChain('el', [{ number: '0x1', hash: '0xAB', parentHash: 7 }]).chain).toEqual({
      head: { number: 1, hash: '0xab', time: 0 },
      blocks: [],
    });
  });

  it.each([null, {}, { number: '0x1' }, { number: 'x', hash: '0x01' }, { number: '0x20000000000000', hash: '0x01' }])(
    'has no block when its head is %j',
    (latest) => {
      expect(readChain('el', [latest]).chain).toBeUndefined();
    },
  );
});
