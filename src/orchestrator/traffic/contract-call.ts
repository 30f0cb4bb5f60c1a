import {
  type AbiFunction,
  type AbiParameter,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  parseAbiItem,
} from 'viem';
import { EXIT, Failure, messageOf } from '../../system/failure.ts';

/** An argument as a document holds it. */
export type Argument = string | number | boolean | null | readonly Argument[] | { readonly [key: string]: Argument };

/** Parses `transfer(address,uint256)` or `balanceOf(address) returns (uint256)`. @throws Failure `abi` (exit 2) */
export function functionOf(signature: string): AbiFunction {
  try {
    const item = parseAbiItem(`function ${signature}` as 'function f()');
    return item as AbiFunction;
  } catch (cause) {
    throw new Failure('abi', `${JSON.stringify(signature)} is not the signature of a function`, {
      exit: EXIT.usage,
      hint: 'expected one such as transfer(address,uint256) or balanceOf(address) returns (uint256)',
      cause,
    });
  }
}

/** Encodes a call. Numbers may be texts, since a document's numbers end at 2^53. @throws Failure `abi` (exit 2) */
export function encodeCall(signature: string, args: readonly Argument[]): Hex {
  const item = functionOf(signature);
  if (args.length !== item.inputs.length)
    throw new Failure('abi', `${signature} takes ${item.inputs.length} arguments, found ${args.length}`, {
      exit: EXIT.usage,
    });
  try {
    const values = item.inputs.map((input, index) => abiValue(input, args[index] ?? null));
    return encodeFunctionData({ abi: [item], functionName: item.name, args: values });
  } catch (cause) {
    throw new Failure('abi', `cannot encode ${signature}: ${messageOf(cause).split('\n')[0]}`, {
      exit: EXIT.usage,
      cause,
    });
  }
}

/** Decodes the result of a call to plain JSON; whole numbers become decimal texts. */
export function decodeResult(signature: string, data: Hex): unknown {
  const item = functionOf(signature);
  if (item.outputs.length === 0) return data;
  return plain(decodeFunctionResult({ abi: [item], functionName: item.name, data }));
}

function abiValue(parameter: AbiParameter, value: Argument): unknown {
  if (Array.isArray(value)) {
    const inner = { ...parameter, type: parameter.type.replace(/\[\d*\]$/, '') };
    return value.map((each: Argument) => abiValue(inner, each));
  }
  // Capitals are a checksum, which another program may have lost.
  if (parameter.type === 'address' && typeof value === 'string') return value.toLowerCase();
  return /^u?int\d*$/.test(parameter.type) && (typeof value === 'string' || typeof value === 'number')
    ? BigInt(value)
    : value;
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return Array.isArray(value) ? value.map(plain) : value;
}
