import { describe, expect, it } from 'vitest';
import type { Message, Picture, Sample } from '../../../src/orchestrator/dashboard/picture-type.ts';
import { NOTHING, nextStore, type Store } from '../../../src/page/store/store-state.ts';

/** A picture at a time (Unix seconds) with the unsafe head of each node. */
function picture(at: number, heads: Readonly<Record<string, number | null>>): Message {
  const nodes = Object.entries(heads).map(([name, unsafe]) => ({
    ...{ name, role: 'verifier', phase: 'ready', el: '', cl: '', http: '', peers: [] },
    ...{ unsafe, safe: null, finalized: null, rate: null, behind: null },
  }));
  const whole: Picture = {
    ...{ name: 'one', id: 'a', phase: 'ready', isUp: true, at: at * 1000, startedAt: 0, genesisTime: 0 },
    clock: { at: 0, rate: 1 },
    ...{
      problems: [],
      faults: [],
      divergences: [],
      reports: [],
      processes: [],
      l1: { rpc: '', chainId: 1, head: null },
    },
    chains: [{ name: 'main', chainId: 901, nodes, forks: [], posters: [] }],
  };
  return { kind: 'picture', picture: whole };
}
const after = (...messages: readonly Message[]): Store => messages.reduce(nextStore, NOTHING);
const history = (...samples: readonly Sample[]): Message => ({
  kind: 'history',
  nodes: ['main/a'],
  samples,
  clock: [],
});

it('the page begins without a picture, samples and events', () => {
  expect(NOTHING).toEqual({
    picture: undefined,
    nodes: [],
    samples: [],
    clock: [],
    events: [],
    gone: undefined,
    isDown: false,
  });
});

describe('the samples of the page', () => {
  it('gain one for each picture, with the heads of all nodes', () => {
    const { nodes, samples } = after(picture(10, { a: 1, b: null }), picture(11, { a: 2, b: 1 }));
    expect(nodes).toEqual(['main/a', 'main/b']);
    expect(samples).toEqual([
      [10, 1, null],
      [11, 2, 1],
    ]);
  });

  it('follow those from before the page opened', () => {
    expect(after(history([8, 0], [9, 1]), picture(10, { a: 2 })).samples).toEqual([
      [8, 0],
      [9, 1],
      [10, 2],
    ]);
  });

  it.each([10, 9])('stay when a picture is from the time %d of one that came, or earlier', (at) => {
    expect(after(picture(10, { a: 1 }), picture(at, { a: 2 })).samples).toEqual([[10, 1]]);
  });

  it('begin anew when the network has other nodes', () => {
    expect(after(picture(10, { a: 1 }), picture(11, { b: 5 })).samples).toEqual([[11, 5]]);
    expect(after(picture(10, { a: 1 }), picture(11, { a: 1, b: 5 })).samples).toEqual([[11, 1, 5]]);
  });

  it('are at most 3600 of those from before the page opened', () => {
    const more = history(...Array.from({ length: 3700 }, (_, second): Sample => [second + 1, second]));
    const { samples } = after(more);
    expect([samples.length, samples[0]]).toEqual([3600, [101, 100]]);
  });

  it('are at most 3600, the newest of them', () => {
    const full = history(...Array.from({ length: 3600 }, (_, second): Sample => [second + 1, second]));
    const { samples } = after(full, picture(3601, { a: 9 }));
    expect(samples).toHaveLength(3600);
    expect([samples[0], samples.at(-1)]).toEqual([
      [2, 1],
      [3601, 9],
    ]);
  });
});

describe('the page', () => {
  it('shows nothing of a devnet that was taken down when there is another one of its name', () => {
    const old = picture(10, { a: 1 });
    const event: Message = { kind: 'event', at: 1, line: 'old', what: 'started' };
    const gone: Message = { kind: 'gone', because: 'one was taken down', isDown: true };
    const down = after(old, event, gone);
    expect([down.end, down.isDown]).toEqual(['one was taken down', true]);
    const next = picture(20, { a: 2 });
    const other: Message = next.kind === 'picture' ? { ...next, picture: { ...next.picture, id: 'b' } } : next;
    expect(nextStore(down, other)).toMatchObject({ samples: [[20, 2]], events: [], end: undefined, isDown: false });
    expect(nextStore(down, next)).toMatchObject({
      samples: [
        [10, 1],
        [20, 2],
      ],
      end: undefined,
    });
  });
});

describe('the events of the page', () => {
  it('are the newest 200, newest first', () => {
    const events = Array.from(
      { length: 201 },
      (_, at): Message => ({ kind: 'event', at, what: 'phase', line: `e${at}` }),
    );
    const found = after(...events).events;
    expect(found).toHaveLength(200);
    expect([found[0], found.at(-1)]).toEqual([
      { at: 200, line: 'e200', kind: 'phase' },
      { at: 1, line: 'e1', kind: 'phase' },
    ]);
  });
});

describe('a network that cannot be read', () => {
  it('is said until the next picture, and the last picture stays', () => {
    const gone = after(picture(10, { a: 1 }), { kind: 'gone', because: 'no answer', isDown: false });
    expect([gone.end, gone.isDown]).toEqual(['no answer', false]);
    expect(gone.picture?.name).toBe('one');
    expect(nextStore(gone, picture(11, { a: 1 })).end).toBeUndefined();
  });
});
