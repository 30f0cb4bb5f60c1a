import { Evm } from '../../../src/evm/machine/evm.ts';
import { toBigInt } from '../../../src/protocol/bytes.ts';
import { bytesToHex } from '../../../src/protocol/hex.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { CONTEXT, SENDER } from '../support/context.ts';
import { MemoryState } from '../support/memory-state.ts';
import { evmInstance } from '../support/module.ts';
import { accountText, type Case, CONTRACTS, logText, PRECOMPILES, type Report } from './case.ts';

/** Runs a case on our EVM. With a slice it stops after about so much gas, again and again. */
export function runOurs(each: Case, slice?: bigint, instance = evmInstance()): Report {
  const state = new MemoryState(each.accounts);
  const evm = new Evm({ instance, level: each.level, state, context: CONTEXT, precompiles: PRECOMPILES });
  for (const warm of [SENDER, CONTRACTS[0]!, ...PRECOMPILES.keys()]) evm.warm(warm);
  evm.begin({ caller: SENDER, to: CONTRACTS[0]!, value: each.value, data: each.data, gas: each.gas });
  let result = evm.step(slice);
  while (result === undefined) result = evm.step(slice);
  const { outcome, gasLeft, output, refund, logs } = result;
  const storage = new Map([...state.accounts].map(([address, account]) => [address, new Map(account.storage)]));
  for (const { address, slot, value } of evm.changedSlots()) {
    const slots = storage.get(address) ?? new Map<Hex, bigint>();
    storage.set(address, slots.set(bytesToHex(slot), toBigInt(value)));
  }
  return {
    outcome: outcome === 'success' || outcome === 'revert' ? outcome : 'halt',
    gasLeft,
    output: Buffer.from(output).toString('hex'),
    refund: outcome === 'success' ? refund : 0n,
    logs: logs.map(({ address, topics, data }) => logText(address, topics, data)),
    destroyed: [...state.destroyed].sort(),
    accounts: [...state.accounts]
      .flatMap(([address, account]) => accountText(address, account, storage.get(address) ?? new Map()) ?? [])
      .sort(),
  };
}
