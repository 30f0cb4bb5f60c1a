import type { Evm } from '../../../src/evm/machine/evm.ts';
import { toBigInt } from '../../../src/protocol/bytes.ts';

/** Returns the slots that a transaction has changed, as numbers. */
export const changedBy = (evm: Evm) =>
  [...evm.changedSlots()].map(({ address, slot, value }) => ({
    address,
    slot: toBigInt(slot),
    value: toBigInt(value),
  }));
