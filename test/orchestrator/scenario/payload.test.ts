import { encodeFunctionData, parseAbi } from 'viem';
import { expect, it } from 'vitest';
import { inputOf } from '../../../src/orchestrator/scenario/payload.ts';

it('the input of a transaction is its data, the call of its function, or nothing', () => {
  const abi = parseAbi(['function f(uint256)', 'function g()']);
  expect(inputOf({})).toBe('0x');
  expect(inputOf({ data: '0x12' })).toBe('0x12');
  expect(inputOf({ function: 'f(uint256)', args: ['7'] })).toBe(
    encodeFunctionData({ abi, functionName: 'f', args: [7n] }),
  );
  expect(inputOf({ function: 'g()' })).toBe(encodeFunctionData({ abi, functionName: 'g' }));
});
