import { decodeFunctionResult, encodeFunctionData, parseAbi, zeroAddress } from 'viem';
import { expect, it } from 'vitest';
import { l1Addresses } from '../../src/protocol/genesis/index.ts';
import { chainInputs, contracts } from '../protocol/genesis/inputs.ts';
import { l1Machine } from './state.ts';

const abi = parseAbi(['function version() view returns (string)', 'function gameType() view returns (uint8)']);
const inputs = chainInputs();
const withdrawals = { ...inputs.withdrawals, system: 'dispute-games' as const };

it.each([
  // The prefix by which op-challenger takes the interface of this game, and no later one.
  { functionName: 'version', result: '0.8.1' },
  { functionName: 'gameType', result: 1 },
] as const)('the registered game answers $functionName with $result', async ({ functionName, result }) => {
  const machine = await l1Machine({ ...inputs, withdrawals });
  const game = l1Addresses(901, contracts, 'dispute-games')['PermissionedDisputeGame']!;
  const { output } = await machine.call(zeroAddress, game, encodeFunctionData({ abi, functionName }));
  expect(decodeFunctionResult({ abi, functionName, data: output })).toBe(result);
});
