import { describe, expect, it } from 'vitest';
import type { OutputContract } from '../../../src/orchestrator/health/facts.ts';
import { readOutputs } from '../../../src/orchestrator/health/outputs.ts';

const word = (value: number | bigint): string => value.toString(16).padStart(64, '0');
const answer = (...values: readonly (number | bigint)[]): string => `0x${values.map(word).join('')}`;

/** Reads the outputs of a contract that answers these calls by their data, and returns the number and the calls. */
async function read(system: OutputContract['system'], answers: Readonly<Record<string, string>>) {
  const calls: string[] = [];
  const number = await readOutputs({ id: 'a', system, address: '0xc0' }, (to, data) => {
    calls.push(`${to} ${data}`);
    return Promise.resolve(answers[data] ?? '0x');
  });
  return { number, calls };
}

const LATEST_BLOCK_NUMBER = '0x4599c788';
const GAME_COUNT = '0x4d1975b4';

it.each([
  [answer(42), 42],
  [answer(0), 0],
  [answer(2 ** 53 - 1), 2 ** 53 - 1],
  [answer(2n ** 53n), undefined],
  ['0x', undefined],
  ['0x2a', undefined],
])('the newest output of an oracle that answers %s is %s', async (text, number) => {
  expect(await read('output-oracle', { [LATEST_BLOCK_NUMBER]: text })).toEqual({
    number,
    calls: [`0xc0 ${LATEST_BLOCK_NUMBER}`],
  });
});

describe('the newest output of a factory of dispute games', () => {
  const findFrom = (index: number) => `0x254bd683${word(1)}${word(index)}${word(1)}`;
  /** The answer of `findLatestGames` for one game, whose extra data is an L2 block. */
  const game = (block: number) => answer(32, 1, 32, 16, 0, 1_700_000_000, 7, 160, 32, block);

  it('is the block of the last permissioned game', async () => {
    const { number, calls } = await read('dispute-games', { [GAME_COUNT]: answer(17), [findFrom(16)]: game(1234) });
    expect(number).toBe(1234);
    expect(calls).toEqual([`0xc0 ${GAME_COUNT}`, `0xc0 ${findFrom(16)}`]);
  });

  it.each([['0x'], [answer(0)]])('is absent without another call when the number of games is %s', async (count) => {
    expect(await read('dispute-games', { [GAME_COUNT]: count })).toEqual({
      number: undefined,
      calls: [`0xc0 ${GAME_COUNT}`],
    });
  });

  it('is absent while all games are of another type', async () => {
    const none = answer(32, 0, 0, 0, 0, 0, 0, 0, 0, 9);
    expect((await read('dispute-games', { [GAME_COUNT]: answer(1), [findFrom(0)]: none })).number).toBeUndefined();
  });
});
