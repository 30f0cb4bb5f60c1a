import { describe, expect, test } from 'vitest';
import { bedrock } from '../../../src/protocol/forks/bedrock.ts';
import { createForks } from '../../../src/protocol/forks/create.ts';
import { defineFork, type Fork } from '../../../src/protocol/forks/fork.ts';
import { FORKS } from '../../../src/protocol/forks/index.ts';
import { basaltAfter } from '../../fixtures/forks/basalt.ts';

const newest = FORKS.findLast(({ optional }) => !optional)!.name;

test('a new fork is one more entry of the list, at any place', () => {
  const basalt = basaltAfter(newest);
  const forks = createForks<string>(bedrock, [basalt, ...FORKS.slice(1).toReversed()]);
  const optional = FORKS.filter((fork) => fork.optional);
  expect(forks.list).toEqual([...FORKS.filter((fork) => !fork.optional), basalt, ...optional]);
  const schedule = { [newest]: 0, basalt: 100 };
  const before = forks.rulesAt(schedule, 99);
  expect(before).toMatchObject({ fork: newest });
  const rules = forks.rulesAt(schedule, 100);
  expect(rules).toMatchObject({ fork: 'basalt', gossip: { version: 3 }, evm: before.evm });
  expect(rules.channels.timeout({} as never)).toBe(11);
  expect(forks.activatesAt(schedule, 100, 2)).toEqual([basalt]);
  expect(forks.find('basalt')).toMatchObject({
    rollupKey: 'basalt_time',
    genesisKey: 'basaltTime',
    override: 'override.basalt',
  });
  expect(forks.orderProblems({ basalt: 5 })).toEqual([{ fork: 'basalt', before: newest }]);
});

describe('forks that form no chain are refused', () => {
  const fork = (name: string, follows: string | null, optional = false): Fork =>
    defineFork({ name, follows, optional, rules: {} });

  test.each([
    ['a fork of the name of another', [fork('bedrock', 'basalt')], 'a fork stands twice in the list'],
    [
      'two forks after one',
      [fork('basalt', 'bedrock'), fork('gneiss', 'bedrock')],
      'bedrock can be followed by one fork of the chain: basalt (follows bedrock), gneiss (follows bedrock)',
    ],
    ['an optional fork in the chain', [fork('basalt', 'bedrock', true)], 'bedrock can be followed by one fork'],
    ['a fork after one that is not there', [fork('basalt', 'gneiss')], 'from bedrock there: basalt (follows gneiss)'],
    ['a fork after none', [fork('basalt', null)], 'from bedrock there: basalt'],
    [
      'a cycle',
      [fork('basalt', 'gneiss'), fork('gneiss', 'basalt')],
      'basalt (follows gneiss), gneiss (follows basalt)',
    ],
    ['a fork after itself', [fork('basalt', 'basalt')], 'from bedrock there: basalt (follows basalt)'],
    ['a fork after an optional one', [fork('gneiss', null, true), fork('basalt', 'gneiss')], 'basalt (follows gneiss)'],
    ['an optional fork after one that is not there', [fork('basalt', 'gneiss', true)], 'from bedrock there: basalt'],
  ])('%s', (_, others, message) => {
    expect(() => createForks<string>(bedrock, others)).toThrow(
      expect.objectContaining({ code: 'schedule-invalid', message: expect.stringContaining(message) }),
    );
  });
});
