import { describe, expect, it } from 'vitest';
import { DaTypeChoice } from '../../../src/nodes/batcher/da-type-choice.ts';
import type { DataAvailabilityType } from '../../../src/nodes/batcher/options/da-type.ts';
import { memoryLog } from './helpers.ts';

const GWEI = 1_000_000_000n;
const CHEAP_BLOBS = { baseFee: GWEI, tip: GWEI, blobBaseFee: 1n };
const DEAR_BLOBS = { ...CHEAP_BLOBS, blobBaseFee: 1_000_000n * GWEI };

function choiceOf(type: DataAvailabilityType) {
  const { log, lines } = memoryLog();
  let asked = 0;
  const l1 = {
    prices: CHEAP_BLOBS as typeof CHEAP_BLOBS | undefined,
    async gasPrices() {
      asked++;
      if (l1.prices === undefined) throw new Error('L1 does not answer');
      return l1.prices;
    },
  };
  const choice = new DaTypeChoice(l1, { type, maxTxSize: 120_000, targetNumFrames: 6 }, log);
  const told = () => lines.splice(0).map((line) => /lvl=(\w+).*carrier=(\w+)/.exec(line)?.slice(1).join(' '));
  return { choice, l1, told, asked: () => asked };
}

describe('DA type of a channel', () => {
  it.each(['calldata', 'blobs'] as const)('is the setting %s, whatever L1 charges', async (type) => {
    const { choice, l1, told, asked } = choiceOf(type);
    expect(choice.setting).toBe(type);
    for (const prices of [CHEAP_BLOBS, DEAR_BLOBS, undefined]) {
      l1.prices = prices;
      expect(await choice.next()).toBe(type);
    }
    expect(asked()).toBe(0);
    expect(told()).toEqual([]);
  });

  it('is the cheaper one of auto, of which changes are logged', async () => {
    const { choice, l1, told } = choiceOf('auto');
    expect(await choice.next()).toBe('blobs');
    expect(told()).toEqual([]);
    l1.prices = DEAR_BLOBS;
    expect(await choice.next()).toBe('calldata');
    expect(await choice.next()).toBe('calldata');
    expect(told()).toEqual(['info calldata']);
    l1.prices = CHEAP_BLOBS;
    expect(await choice.next()).toBe('blobs');
    expect(told()).toEqual(['info blobs']);
  });

  it('stays when L1 does not answer, with a warning', async () => {
    const { choice, l1, told } = choiceOf('auto');
    l1.prices = undefined;
    expect(await choice.next()).toBe('blobs');
    expect(told()).toEqual(['warn blobs']);
    l1.prices = DEAR_BLOBS;
    await choice.next();
    told();
    l1.prices = undefined;
    expect(await choice.next()).toBe('calldata');
    expect(told()).toEqual(['warn calldata']);
  });

  it('follows a setting that an administrator changed', async () => {
    const { choice, l1 } = choiceOf('auto');
    l1.prices = DEAR_BLOBS;
    choice.setting = 'blobs';
    expect(await choice.next()).toBe('blobs');
    choice.setting = 'auto';
    expect(await choice.next()).toBe('calldata');
  });
});
