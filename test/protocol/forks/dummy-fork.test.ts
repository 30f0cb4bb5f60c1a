import { expect, test } from 'vitest';
import { bedrock } from '../../../src/protocol/forks/bedrock.ts';
import { createForks } from '../../../src/protocol/forks/create.ts';
import { defineFork } from '../../../src/protocol/forks/fork.ts';
import { FORKS } from '../../../src/protocol/forks/index.ts';
import { basalt } from '../../fixtures/forks/basalt.ts';

test('a new fork is one more entry of the list', () => {
  const forks = createForks<string>([bedrock, ...FORKS.slice(1), basalt]);
  const newest = FORKS.filter(({ optional }) => !optional).at(-1)!.name;
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

test('no fork stands twice', () => {
  expect(() => createForks<string>([bedrock, defineFork({ name: 'bedrock', rules: {} })])).toThrow(
    expect.objectContaining({ code: 'schedule-invalid' }),
  );
});
