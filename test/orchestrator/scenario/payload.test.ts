import { encodeFunctionData, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Facts } from '../../../src/orchestrator/scenario/facts.ts';
import { checkPayload, inputOf, payload } from '../../../src/orchestrator/scenario/payload.ts';

it('the input of a transaction is its data, the call of its function, or nothing', () => {
  const abi = parseAbi(['function f(uint256)', 'function g()']);
  expect(inputOf({})).toBe('0x');
  expect(inputOf({ data: '0x12' })).toBe('0x12');
  expect(inputOf({ function: 'f(uint256)', args: ['7'] })).toBe(
    encodeFunctionData({ abi, functionName: 'f', args: [7n] }),
  );
  expect(inputOf({ function: 'g()' })).toBe(encodeFunctionData({ abi, functionName: 'g' }));
});

describe('the keys of a payload', () => {
  const accepts = (value: unknown) => z.safeParse(z.strictObject(payload), value).success;

  it('are data, function and args', () => {
    for (const good of [{}, { data: '0x12' }, { function: 'f(uint256)', args: [1, '2', ['3']] }])
      expect(accepts(good)).toBe(true);
    for (const bad of [{ data: '12' }, { function: 7 }, { args: '1' }, { input: '0x' }])
      expect(accepts(bad)).toBe(false);
  });

  const BOTH = '"data" and "function" both say what is called';
  it.each<[Parameters<typeof checkPayload>[2], readonly unknown[]]>([
    [{}, []],
    [{ data: '0x12' }, []],
    [{ function: 'f()' }, []],
    [{ function: 'f(uint256)', args: ['1'] }, []],
    [{ data: '0x12', function: 'f()' }, [['steps.0.send.data', BOTH, 'one of them']]],
    [
      { args: [] },
      [['steps.0.send.args', '"args" needs "function"', 'function: "transfer(address,uint256)" beside it']],
    ],
    [
      { function: 'f(' },
      [['steps.0.send.function', expect.any(String), 'a signature such as transfer(address,uint256)']],
    ],
  ])('%j are checked before the start', (value, problems) => {
    const found: unknown[] = [];
    const facts: Pick<Facts, 'report'> = {
      report: (path, message, more) => found.push([path.join('.'), message, more?.allowed]),
    };
    checkPayload(facts, ['steps', 0, 'send'], value);
    expect(found).toEqual(problems);
  });
});
