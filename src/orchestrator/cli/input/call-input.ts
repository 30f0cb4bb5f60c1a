import type { Hex } from 'viem';
import { isHex } from 'viem/utils';
import { EXIT, Failure } from '../../../system/failure.ts';
import { encodeCall } from '../../traffic/contract-call.ts';
import { listOption, type OptionDefinition, type OptionValues, textOption } from './command.ts';

/** Options that say what a transaction calls. */
export const INPUT_OPTIONS: readonly OptionDefinition[] = [
  { flags: '--data <hex>', description: 'the input' },
  { flags: '--function <signature>', description: 'instead of --data: transfer(address,uint256)' },
  { flags: '--arg <value>', description: 'an argument of the function', repeatable: true },
];

/** Returns the input that the options of a command give. @throws Failure `usage`, or `abi` (exit 2) */
export function inputOf(command: string, options: OptionValues): Hex {
  const signature = textOption(options, 'function');
  const data = textOption(options, 'data');
  const args = listOption(options, 'arg');
  if ((data !== undefined && signature !== undefined) || (args.length > 0 && signature === undefined))
    throw new Failure('usage', `${command}: expected --data, or --function with its --arg`, { exit: EXIT.usage });
  if (signature !== undefined) return encodeCall(signature, args);
  if (data === undefined) return '0x';
  if (isHex(data) && data.length % 2 === 0) return data;
  throw new Failure('usage', `--data: expected "0x" and an even number of hex digits, found ${JSON.stringify(data)}`, {
    exit: EXIT.usage,
  });
}
