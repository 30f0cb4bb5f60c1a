import { NO_BYTES } from '../../protocol/bytes.ts';
import type { Hex } from '../../protocol/types.ts';
import type { Call } from './calls.ts';
import type { Creation } from './creations.ts';
import type { Ended, Machine } from './machine.ts';
import type { Step } from './step.ts';

/** Shows the inspector a call that begins. */
export function inspectCall({ inspector, operands, host }: Machine, call: Call): void {
  if (inspector === undefined) return;
  const { type, caller, address, codeAddress, gas, value, input } = call;
  inspector.enter({
    type,
    depth: host.depth,
    from: type === 'DELEGATECALL' ? address : caller,
    to: codeAddress,
    // The bytes may change later.
    input: input instanceof Uint8Array ? new Uint8Array(input) : operands.bytes(input),
    gas,
    value,
  });
}

/** Shows the inspector a creation that begins. */
export function inspectCreation({ inspector, host }: Machine, creation: Creation, to: Hex): void {
  const { caller, salt, initcode, gas, value } = creation;
  const type = salt === undefined ? 'CREATE' : 'CREATE2';
  inspector?.enter({ type, depth: host.depth, from: caller, to, input: new Uint8Array(initcode), gas, value });
}

/** Shows the inspector the end of a message. `fault`: the opcode with which its frame failed. */
export function inspectEnd({ inspector }: Machine, gasBefore: bigint, end: Ended, fault?: Step): void {
  const { ending, gas, output = NO_BYTES, reason } = end;
  inspector?.leave({ ending, gasUsed: gasBefore - gas, output, ...(reason && { reason }), ...(fault && { fault }) });
}
