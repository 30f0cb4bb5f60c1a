import { constants } from 'node:os';

/** Returns the signal of a number, undefined if there is none. */
export function signalOf(number: number): NodeJS.Signals | undefined {
  return Object.entries(constants.signals)
    .map(([name, value]) => ({ name: name as NodeJS.Signals, value }))
    .find(({ value }) => value === number)?.name;
}
