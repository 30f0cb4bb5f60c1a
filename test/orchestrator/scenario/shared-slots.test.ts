import { describe, expect, it } from 'vitest';
import { sharedSlots } from '../../../src/orchestrator/scenario/shared-slots.ts';

/** Slots that note what was sent before each of them. */
function recordedSlots() {
  const slots: string[][] = [[]];
  const shared = sharedSlots(async () => void slots.push([]));
  return { slots, ...shared, send: (what: string) => void slots.at(-1)?.push(what) };
}

/** Lets promises settle that are due, so that a step is slower than others. */
async function slowly(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
}

describe('slots that steps share', () => {
  it('a step alone gets a slot at once', async () => {
    const { slots, pass, send } = recordedSlots();
    send('a');
    await pass();
    send('b');
    expect(slots).toEqual([['a'], ['b']]);
  });

  it.each([0, 1, 7, 100])('a slot waits for a step that is %i turns late', async (late) => {
    const { slots, pass, together, send } = recordedSlots();
    const step = (name: string, turns: number, count: number) => async () => {
      for (let round = 0; round < count; round++) {
        await slowly(turns);
        send(`${name}${round}`);
        await pass();
      }
    };
    await together([step('fast', 0, 3), step('slow', late, 2)]);
    expect(slots.map((slot) => slot.toSorted())).toEqual([['fast0', 'slow0'], ['fast1', 'slow1'], ['fast2'], []]);
    send('after');
    await pass();
    expect(slots).toHaveLength(5);
  });

  it('nested steps share slots, too', async () => {
    const { slots, pass, together, send } = recordedSlots();
    const step = (name: string) => async () => {
      await slowly(3);
      send(name);
      await pass();
    };
    await together([step('a'), async () => void (await together([step('b'), step('c')])), step('d')]);
    expect(slots.map((slot) => slot.toSorted())).toEqual([['a', 'b', 'c', 'd'], []]);
  });

  it('a step that fails holds up no other, and a clock that fails fails all that wait', async () => {
    const { pass, together } = recordedSlots();
    const failing = async () => {
      throw new Error('no');
    };
    await expect(together([failing, pass])).rejects.toThrow('no');
    const broken = sharedSlots(failing);
    const both = await Promise.allSettled([
      broken.together([() => broken.pass(), () => broken.pass()]),
      Promise.resolve(),
    ]);
    expect(both[0].status).toBe('rejected');
  });
});
