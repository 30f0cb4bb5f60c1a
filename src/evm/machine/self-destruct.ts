import { atLeast } from '../../protocol/rules/evm-level.ts';
import type { Hex } from '../../protocol/types.ts';
import { type Machine, transfer } from './machine.ts';
import type { Ending } from './state.ts';

const NEW_ACCOUNT_GAS = 25_000n;
const NO_INPUT = new Uint8Array();

/**
 * Moves the balance of the running account to the beneficiary on the stack, for gas if that account is new.
 * From cancun on the account is removed only if this transaction has made it (EIP-6780).
 */
export function selfDestruct(machine: Machine, newContracts: ReadonlySet<Hex>): Ending {
  const { instance, host, operands, state, level } = machine;
  const self = host.addressAt(instance.layout.FRAME_ADDRESS);
  const beneficiary = host.addressAt(operands.place(0));
  const balance = state.balance(self);
  const cost = balance !== 0n && state.isEmpty(beneficiary) ? NEW_ACCOUNT_GAS : 0n;
  const left = operands.gas - cost;
  reportCost(machine, cost);
  if (left < 0n) return 'out of gas';
  operands.gas = left;
  const {
    inspector,
    host: { depth },
  } = machine;
  const moved = { gas: 0n, input: NO_INPUT, value: balance };
  inspector?.enter({ type: 'SELFDESTRUCT', depth, from: self, to: beneficiary, ...moved });
  transfer(machine, self, beneficiary, balance);
  if (!atLeast(level, 'cancun') || newContracts.has(self)) {
    // What it sent to itself is burnt.
    state.setBalance(self, 0n);
    state.destroy(self);
  }
  inspector?.leave({ ending: 'success', gasUsed: 0n, output: NO_INPUT });
  return 'success';
}

/** Reports SELFDESTRUCT with what it costs beyond the loop's charge. */
function reportCost({ inspector, instance, operands, host }: Machine, cost: bigint): void {
  if (inspector === undefined) return;
  const loopCost = instance.view.getBigInt64(instance.layout.STEP_COST, true);
  host.report(operands.gas + loopCost, loopCost + cost, loopCost + cost);
}
