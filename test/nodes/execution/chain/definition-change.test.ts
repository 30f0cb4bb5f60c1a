import { describe, expect, it } from 'vitest';
import {
  checkDefinition,
  checkForkTimes,
  type ForkTimes,
} from '../../../../src/nodes/execution/chain/definition-change.ts';
import { type ChainDefinition, defineChain } from '../../../../src/nodes/execution/chain/genesis.ts';
import { Failure } from '../../../../src/system/failure.ts';

const HEAD = { number: 8, timestamp: 100n };
const GENESIS = { number: 0, timestamp: 20n };
const FIELDS = { timestamp: '0x14', gasLimit: '0x1c9c380' };
const FOLDER = '/data/node';

/** Runs a check. Returns the difference that its failure names, or undefined. */
function differenceOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const start = `the datadir ${FOLDER} holds a chain that was executed with other rules: `;
    expect(error).toMatchObject({
      code: 'genesis-mismatch',
      data: { datadir: FOLDER },
      exit: 2,
      hint: expect.stringContaining('rewind'),
    });
    expect(error.message.startsWith(start)).toBe(true);
    return error.message.slice(start.length);
  }
}

describe('the fork times of a start', () => {
  const differenceAt = (was: ForkTimes, is: ForkTimes, head = HEAD) =>
    differenceOf(() => checkForkTimes(was, is, { genesis: GENESIS, head }, FOLDER));
  const executed = 'its blocks up to 8 were executed with';

  it.each<[string, ForkTimes, ForkTimes, string | undefined]>([
    ['do not change', { canyon: 50 }, { canyon: 50 }, undefined],
    ['change a fork after the head', { canyon: 101 }, { canyon: 150 }, undefined],
    ['drop a fork after the head', { canyon: 101 }, {}, undefined],
    ['add a fork after the head', {}, { canyon: 101 }, undefined],
    ['move a fork from before the genesis block to it', { canyon: 0 }, { canyon: 20 }, undefined],
    [
      'move a fork from the genesis block',
      { canyon: 0 },
      { canyon: 21 },
      `${executed} canyon at 0, the options now set 21`,
    ],
    [
      'move a fork of earlier blocks',
      { canyon: 50 },
      { canyon: 60 },
      `${executed} canyon at 50, the options now set 60`,
    ],
    [
      'move a fork behind the head',
      { canyon: 100 },
      { canyon: 200 },
      `${executed} canyon at 100, the options now set 200`,
    ],
    [
      'move a fork before the head',
      { canyon: 200 },
      { canyon: 100 },
      `${executed} canyon at 200, the options now set 100`,
    ],
    ['drop a fork of earlier blocks', { canyon: 50 }, {}, `${executed} canyon at 50, the options now set no time`],
    [
      'add a fork of earlier blocks beside one that stays',
      { canyon: 0, delta: undefined },
      { canyon: 0, delta: 50 },
      `${executed} delta at no time, the options now set 50`,
    ],
    [
      'move the second of two forks',
      { canyon: 50, delta: 60 },
      { canyon: 50, delta: 61 },
      `${executed} delta at 60, the options now set 61`,
    ],
  ])('are refused if they change executed blocks: they %s', (_, was, is, expected) => {
    expect(differenceAt(was, is)).toBe(expected);
  });

  it('may all change while the genesis block is the head', () => {
    expect(differenceAt({ canyon: 0 }, { canyon: 50 }, { number: 0, timestamp: 100n })).toBeUndefined();
  });
});

describe('a genesis file', () => {
  const rollup = (times: ForkTimes, eip1559Elasticity = 6): ChainDefinition => {
    const optimism = { eip1559Elasticity, eip1559Denominator: 50, eip1559DenominatorCanyon: 250 };
    const forks = Object.fromEntries(Object.entries(times).map(([fork, time]) => [`${fork}Time`, time]));
    return defineChain(JSON.stringify({ config: { chainId: 901, optimism, ...forks }, ...FIELDS }), 'x');
  };
  const plain = (pragueTime?: number): ChainDefinition =>
    defineChain(
      JSON.stringify({ config: { chainId: 901, shanghaiTime: 0, cancunTime: 0, pragueTime }, ...FIELDS }),
      'x',
    );
  const differenceOfFiles = (
    stored: ChainDefinition,
    next: ChainDefinition,
    { executed, overrides = {} }: { readonly executed?: ForkTimes; readonly overrides?: ForkTimes } = {},
    head = HEAD,
  ) => differenceOf(() => checkDefinition(stored, next, { executed, overrides }, head, FOLDER));
  const ecotone = 'its blocks up to 8 were executed with ecotone at';
  const times = { regolith: 0, canyon: 0 };

  it('may be written anew, and change a fork after the head', () => {
    const stored = rollup({ ...times, ecotone: 200 });
    expect(differenceOfFiles(stored, rollup({ ...times, ecotone: 200 }))).toBeUndefined();
    expect(differenceOfFiles(stored, rollup({ ...times, ecotone: 101 }))).toBeUndefined();
  });

  it('is refused when it moves a fork of executed blocks, until the genesis block is the head', () => {
    const [stored, next] = [rollup({ ...times, ecotone: 50 }), rollup({ ...times, ecotone: 60 })];
    expect(differenceOfFiles(stored, next)).toBe(`${ecotone} 50, the genesis file says 60`);
    expect(differenceOfFiles(stored, next, {}, { number: 0, timestamp: 100n })).toBeUndefined();
    expect(differenceOfFiles(stored, next, {}, { number: 1, timestamp: 100n })).toBeDefined();
  });

  it('is compared with the times by which the blocks were executed, and with the overrides of the options', () => {
    const [stored, next] = [rollup({ ...times, ecotone: 50 }), rollup({ ...times, ecotone: 60 })];
    const executed = { regolith: 0, canyon: 0, ecotone: 70 };
    expect(differenceOfFiles(stored, next, { executed, overrides: { ecotone: 70 } })).toBeUndefined();
    expect(differenceOfFiles(stored, next, { executed })).toBe(`${ecotone} 70, the genesis file says 60`);
    expect(differenceOfFiles(stored, next, { executed, overrides: { ecotone: 80 } })).toBe(
      `${ecotone} 70, the options now set 80`,
    );
  });

  it('is refused when it changes the fee constants of executed blocks', () => {
    expect(differenceOfFiles(rollup(times), rollup(times, 10))).toBe(
      'its blocks up to 8 were executed with another config.optimism',
    );
  });

  it('a genesis file of plain Ethereum is compared by the forks of Ethereum', () => {
    expect(differenceOfFiles(plain(200), plain(300))).toBeUndefined();
    expect(differenceOfFiles(plain(50), plain(60), { executed: {} })).toBe(
      'its blocks up to 8 were executed with prague at 50, the genesis file says 60',
    );
  });
});
