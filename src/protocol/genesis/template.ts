import type { GenesisContracts, SlotValues, Template } from './contracts.ts';
import { GenesisError } from './error.ts';

/**
 * Fills the slots of a template and returns its hex (without `0x`). Each value must have the slot's width.
 * @throws GenesisError if a slot has no value or one of another width
 */
export function fill(template: Template, values: SlotValues, slots: GenesisContracts['slots']): string {
  if (typeof template === 'string') return template;
  let text = '';
  for (const part of template) text += typeof part === 'string' ? part : slotValue(part.slot, values, slots);
  return text;
}

function slotValue(slot: string, values: SlotValues, slots: GenesisContracts['slots']): string {
  const value = values[slot];
  const bytes = slots[slot];
  if (value === undefined || bytes === undefined) {
    throw new GenesisError('slot-missing', `the genesis contracts have a slot "${slot}" for which there is no value`, {
      slot,
    });
  }
  if (value.length !== bytes * 2) {
    throw new GenesisError('slot-width', `slot "${slot}" takes ${bytes} bytes of hex, found "${value}"`, {
      slot,
      value,
    });
  }
  return value;
}

/** Returns hex of exactly `bytes` bytes, without `0x`. @throws GenesisError if the value does not fit */
export function word(value: bigint | number | string, bytes: number): string {
  const text = typeof value === 'string' ? value.replace(/^0x/, '').toLowerCase() : value.toString(16);
  if (text.length > bytes * 2 || text.startsWith('-')) {
    throw new GenesisError('slot-width', `${value} does not fit ${bytes} bytes`, { value: String(value) });
  }
  return text.padStart(bytes * 2, '0');
}
