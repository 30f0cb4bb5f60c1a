import { describe, expect, it } from 'vitest';
import { genesisConfigProblems, isRollupConfig } from '../../../../src/protocol/genesis/file/genesis-config.ts';

const times = (names: readonly string[]) => Object.fromEntries(names.map((name) => [`${name}Time`, 0]));
const ETHEREUM = { chainId: 7, ...times(['shanghai', 'cancun', 'prague', 'osaka']) };
const FORKS = ['regolith', 'canyon', 'ecotone', 'fjord', 'granite', 'holocene', 'isthmus', 'jovian', 'karst'];
const RATES = { eip1559Elasticity: 6, eip1559Denominator: 50, eip1559DenominatorCanyon: 250 };
const ROLLUP = { ...ETHEREUM, ...times(FORKS), optimism: RATES };
const WHOLE = 'expected a whole number from 1';
const SECONDS = 'expected a whole number of seconds from 0';

describe('config of a genesis file', () => {
  it.each<[string, unknown]>([
    ['a rollup', ROLLUP],
    ['an Ethereum chain', ETHEREUM],
    ['the merge alone', { chainId: 1 }],
    ['times that are null', { ...ETHEREUM, osakaTime: null }],
    ['unknown keys', { ...ETHEREUM, homesteadBlock: 'x', interopTime: 5, depositContractAddress: '0x' }],
    ['a rollup without Ethereum forks', { chainId: 1, ...times(FORKS), optimism: RATES }],
    ['no denominator of canyon', { ...ROLLUP, optimism: { ...RATES, eip1559DenominatorCanyon: undefined } }],
    ['a denominator of canyon that is null', { ...ROLLUP, optimism: { ...RATES, eip1559DenominatorCanyon: null } }],
    ['rates of 1', { ...ROLLUP, optimism: { eip1559Elasticity: 1, eip1559Denominator: 1 } }],
    [
      'forks at one time',
      {
        ...ROLLUP,
        graniteTime: 5,
        holoceneTime: 5,
        isthmusTime: 5,
        pragueTime: 5,
        jovianTime: 6,
        karstTime: 7,
        osakaTime: 7,
      },
    ],
    ['forks to come', { ...ROLLUP, karstTime: undefined, osakaTime: undefined }],
    ['rollup forks without meaning on Ethereum', { ...ETHEREUM, graniteTime: 5, holoceneTime: 3, optimism: null }],
  ])('has no problem with %s', (_, config) => {
    expect(genesisConfigProblems(config)).toEqual([]);
  });

  it.each<[string, unknown, string[]]>([
    ['a list', [], ['config: expected a map with chainId and the times of forks']],
    ['nothing', undefined, ['config: expected a map with chainId and the times of forks']],
    ['no chain id', { ...ETHEREUM, chainId: undefined }, [`config.chainId: ${WHOLE}`]],
    ['chain id 0', { ...ETHEREUM, chainId: 0 }, [`config.chainId: ${WHOLE}, found 0`]],
    ['a chain id in text', { ...ETHEREUM, chainId: '7' }, [`config.chainId: ${WHOLE}, found "7"`]],
    ['a chain id of 54 bits', { ...ETHEREUM, chainId: 2 ** 53 }, [`config.chainId: ${WHOLE}, found 9007199254740992`]],
    ['long text', { ...ETHEREUM, chainId: 'x'.repeat(90) }, [`config.chainId: ${WHOLE}, found "${'x'.repeat(79)}`]],
    ['a negative time', { ...ETHEREUM, cancunTime: -1 }, [`config.cancunTime: ${SECONDS}, found -1`]],
    [
      'times that are none, of which nothing else is said',
      { ...ROLLUP, fjordTime: 1.5, graniteTime: '5', cancunTime: '0x5', optimism: 1 },
      [
        `config.fjordTime: ${SECONDS}, found 1.5`,
        `config.graniteTime: ${SECONDS}, found "5"`,
        `config.cancunTime: ${SECONDS}, found "0x5"`,
      ],
    ],
    [
      'Ethereum forks out of order',
      { ...ETHEREUM, shanghaiTime: 5, cancunTime: 3, pragueTime: 3, osakaTime: 3 },
      ['config.cancunTime is 3, before config.shanghaiTime, which is 5: forks keep their order'],
    ],
    [
      'a missing Ethereum fork',
      { ...ETHEREUM, cancunTime: null },
      ['config.cancunTime is missing below config.pragueTime: forks keep their order'],
    ],
    [
      'a missing rollup fork',
      { ...ROLLUP, fjordTime: undefined },
      ['config.fjordTime is missing below config.graniteTime: forks keep their order'],
    ],
    [
      'rollup forks out of order',
      { ...ROLLUP, graniteTime: 5 },
      ['config.holoceneTime is 0, before config.graniteTime, which is 5: forks keep their order'],
    ],
    [
      'an Ethereum fork at another time than its rollup fork',
      { ...ROLLUP, osakaTime: 9 },
      ['config.osakaTime is 9, config.karstTime is 0: expected one time for both'],
    ],
    [
      'an Ethereum fork without its rollup fork',
      { ...ROLLUP, karstTime: undefined },
      ['config.osakaTime is 0, config.karstTime is absent: expected one time for both'],
    ],
    [
      'rates that are no map',
      { ...ROLLUP, optimism: true },
      ['config.optimism: expected a map with eip1559Elasticity and eip1559Denominator'],
    ],
    [
      'no rates',
      { ...ROLLUP, optimism: {} },
      [`config.optimism.eip1559Elasticity: ${WHOLE}`, `config.optimism.eip1559Denominator: ${WHOLE}`],
    ],
    [
      'rates of 0',
      { ...ROLLUP, optimism: { eip1559Elasticity: 0, eip1559Denominator: 1.5, eip1559DenominatorCanyon: 0 } },
      [
        `config.optimism.eip1559Elasticity: ${WHOLE}, found 0`,
        `config.optimism.eip1559Denominator: ${WHOLE}, found 1.5`,
        `config.optimism.eip1559DenominatorCanyon: ${WHOLE}, found 0`,
      ],
    ],
    [
      'several at once',
      { ...ROLLUP, chainId: 0, graniteTime: 5, osakaTime: 9, optimism: [] },
      [
        `config.chainId: ${WHOLE}, found 0`,
        'config.holoceneTime is 0, before config.graniteTime, which is 5: forks keep their order',
        'config.osakaTime is 9, config.karstTime is 0: expected one time for both',
        'config.optimism: expected a map with eip1559Elasticity and eip1559Denominator',
      ],
    ],
  ])('is refused with %s', (_, config, problems) => {
    expect(genesisConfigProblems(config)).toEqual(problems);
  });

  it.each([
    [{ optimism: {} }, true],
    [{ optimism: false }, true],
    [{ optimism: null }, false],
    [{}, false],
  ])('%j is a rollup’s: %s', (config, expected) => {
    expect(isRollupConfig(config)).toBe(expected);
  });
});
