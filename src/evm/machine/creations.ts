import { contractAddress, saltedContractAddress } from '../../protocol/accounts/contract-address.ts';
import { atLeast } from '../../protocol/rules/evm-level.ts';
import type { Hex } from '../../protocol/types.ts';
import { atMost } from './calls.ts';
import type { FrameStart } from './frames.ts';
import { type Ended, type Machine, refusalOf, transfer } from './machine.ts';
import type { Halt } from './state.ts';

const CREATE2 = 0xf5;
const MAX_NONCE = 2n ** 64n - 1n;
/** EIP-170 and EIP-3860. */
const MAX_CODE = 24_576;
const MAX_INITCODE = 2 * MAX_CODE;
const DEPOSIT_GAS = 200n;

/** A creation that begins. */
export interface Creation {
  readonly caller: Hex;
  readonly value: bigint;
  readonly gas: bigint;
  readonly initcode: Uint8Array;
  readonly salt?: Uint8Array;
  /** The caller's nonce counts it already: the creation is the message of a transaction. */
  readonly isCounted?: boolean;
}

/** Takes the operands of CREATE or CREATE2 from the stack, and the gas of the creation. */
export function takeCreation({ instance, host, operands, level }: Machine): Creation | Halt {
  const initcode = operands.bytes(operands.range(1, 2));
  if (atLeast(level, 'shanghai') && initcode.length > MAX_INITCODE) return 'initcode too large';
  const hasSalt = operands.opcode === CREATE2;
  const value = operands.word(0);
  const salt = hasSalt ? { salt: instance.wordBytes(operands.place(3)) } : {};
  operands.pop(hasSalt ? 4 : 3);
  const left = operands.gas;
  const gas = atMost(left, left);
  operands.gas = left - gas;
  return { caller: host.addressAt(instance.layout.FRAME_ADDRESS), value, gas, initcode, ...salt };
}

/** Counts a creation in the nonce of its caller. Returns the address of the contract, or why it cannot begin. */
export function countCreation(machine: Machine, creation: Creation, depth: number): Ended | Hex {
  const { state } = machine;
  const { caller, value, gas, initcode, salt, isCounted } = creation;
  const refusal = refusalOf(machine, depth, caller, value, gas);
  if (refusal !== undefined) return refusal;
  if (isCounted) return contractAddress(caller, state.nonce(caller) - 1n);
  const nonce = state.nonce(caller);
  if (nonce === MAX_NONCE) return { ending: 'nonce overflow', gas };
  state.setNonce(caller, nonce + 1n);
  return salt === undefined ? contractAddress(caller, nonce) : saltedContractAddress(caller, salt, initcode);
}

/** Makes the account of a contract. Returns the frame that runs its initcode, or its end if the address is taken. */
export function beginCreation(machine: Machine, creation: Creation, address: Hex): Ended | FrameStart {
  const { state } = machine;
  const { caller, value, gas, initcode } = creation;
  const isTaken = state.nonce(address) !== 0n || state.code(address).length > 0 || state.hasStorage(address);
  if (isTaken) return { ending: 'contract address collision', gas: 0n };
  state.setNonce(address, 1n);
  transfer(machine, caller, address, value);
  return { address, caller, value, gas, isStatic: false, code: initcode, input: { at: 0, size: 0 } };
}

/** Keeps the code of a new contract, if its length, first byte and gas allow it (EIP-170, EIP-3541). */
export function depositCode({ state }: Machine, address: Hex, code: Uint8Array, gas: bigint): Ended {
  if (code.length > MAX_CODE) return { ending: 'code too large', gas: 0n };
  if (code[0] === 0xef) return { ending: 'code begins with 0xef', gas: 0n };
  const left = gas - DEPOSIT_GAS * BigInt(code.length);
  if (left < 0n) return { ending: 'code store out of gas', gas: 0n };
  state.setCode(address, code);
  return { ending: 'success', gas: left, output: code };
}
