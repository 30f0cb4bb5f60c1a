import type { Hex } from '../../protocol/types.ts';
import type { Machine } from './machine.ts';

type Tables = Pick<Machine, 'instance' | 'host'>;

/** A slot that a transaction has accessed. */
export interface AccessedSlot {
  readonly address: Hex;
  readonly slot: bigint;
}

/** Yields the addresses in the tables of an instance, in the order of their first access. */
export function* accessedAccounts({ instance, host }: Tables): Generator<Hex> {
  const [first, size] = [instance.layout.ACCOUNTS, instance.layout.ACCOUNT_BYTES];
  for (let record = 0; record < instance.number(instance.layout.ACCOUNT_COUNT); record++)
    yield host.addressAt(first + record * size);
}

/** Yields the slots in the tables of an instance, as `accessedAccounts`. */
export function* accessedSlots({ instance, host }: Tables): Generator<AccessedSlot> {
  for (const { at, owner } of slotRecords(instance)) yield { address: host.addressAt(owner), slot: instance.word(at) };
}

/** A slot that a transaction has changed: the 32 bytes of its key and of its value. */
export interface ChangedSlot {
  readonly address: Hex;
  readonly slot: Uint8Array;
  readonly value: Uint8Array;
}

/** Yields the slots whose value is another one than before the transaction. */
export function* changedSlots({ instance, host }: Tables): Generator<ChangedSlot> {
  for (const { at, owner } of slotRecords(instance)) {
    if (instance.isSame(at + 64, at + 96)) continue;
    yield { address: host.addressAt(owner), slot: instance.wordBytes(at), value: instance.wordBytes(at + 64) };
  }
}

function* slotRecords(instance: Machine['instance']): Generator<{ readonly at: number; readonly owner: number }> {
  const [first, size] = [instance.layout.SLOTS, instance.layout.SLOT_BYTES];
  for (let record = 0; record < instance.number(instance.layout.SLOT_COUNT); record++) {
    const at = first + record * size;
    // The owner is a 32-bit number. That of a transient slot is odd.
    const owner = instance.view.getUint32(at + 32, true);
    if (owner % 2 === 0) yield { at, owner };
  }
}
