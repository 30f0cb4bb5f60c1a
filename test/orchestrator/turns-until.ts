import { setImmediate as nextTurn } from 'node:timers/promises';

/** Lets the event loop go on until something holds, without timers. */
export async function turnsUntil(holds: () => boolean): Promise<void> {
  for (let turn = 0; !holds(); turn++) {
    if (turn > 100_000) throw new Error('it did not come true');
    await nextTurn();
  }
}

/** Lets everything happen that waits for no timer. */
export async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn();
}
