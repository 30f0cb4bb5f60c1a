import { describe, expect, it } from 'vitest';
import { computeSyncAction, type LastPoll, type SubmittedChannel } from '../../../src/nodes/batcher/sync-actions.ts';
import type { SyncStatus } from '../../../src/nodes/txmgr/sync-status.ts';
import type { BlockId, Hex } from '../../../src/protocol/types.ts';

const CHANNEL_TIMEOUT = 50;
const id = (number: number, chain = 'aa'): BlockId => ({ number, hash: `0x${chain}${number}` as Hex });
const l2 = (number: number, chain?: string) => ({ ...id(number, chain) });
function channel(first: number, last: number, included?: [number, number], chain?: string): SubmittedChannel {
  const blocks = included && { first: included[0], last: included[1] };
  return { first: id(first, chain), last: id(last, chain), included: blocks };
}

/** The action with the safe head at 4, the unsafe head at 20, and derivation at L1 block 10. */
function act(
  channels: readonly SubmittedChannel[],
  changes: { safe?: BlockId; unsafe?: BlockId; current?: number } = {},
  last: LastPoll = { read: id(20), safe: 4 },
) {
  const { safe = l2(4), unsafe = l2(20), current = 10 } = changes;
  const status = { safe_l2: safe, unsafe_l2: unsafe, current_l1: id(current) } as unknown as SyncStatus;
  return computeSyncAction(channels, status, CHANNEL_TIMEOUT, last);
}
const restart = (reason: string) => ({ kind: 'restart', reason });
const good = (derived: number) => ({ kind: 'good', derived });

describe('batching goes on', () => {
  it.each<[string, number, ReturnType<typeof act>]>([
    ['without channels', 0, act([])],
    ['with a channel that is not included', 0, act([channel(5, 6)], { current: 1000 })],
    ['with a channel that derivation has not read', 0, act([channel(5, 6, [11, 12])])],
    ['while derivation reads the block behind the channel', 0, act([channel(5, 6, [9, 9])])],
    ['with channels that are safe', 2, act([channel(1, 2, [1, 1]), channel(3, 4, [2, 2])])],
    ['with a channel that is safe before its inclusion is known', 1, act([channel(3, 4)])],
    ['with a channel that is safe in part', 1, act([channel(1, 2, [1, 1]), channel(3, 5, [9, 9])])],
    ['with a channel behind one that waits', 1, act([channel(3, 4), channel(5, 6), channel(7, 8, [1, 1])])],
    ['with a channel over as many L1 blocks as the timeout', 0, act([channel(5, 6, [20, 70])])],
    ['before a block was read', 0, act([], { unsafe: l2(7) }, { read: undefined, safe: 4 })],
    ['while unread blocks come', 0, act([], { unsafe: l2(21, 'bb') })],
    ['when the safe head stays', 0, act([], {}, { read: id(20), safe: 4 })],
    ['when the safe head advances', 0, act([], {}, { read: id(20), safe: 3 })],
  ])('%s: %i of them are derived', (_, derived, action) => {
    expect(action).toEqual(good(derived));
  });
});

describe('batching starts again', () => {
  it.each<[string, ReturnType<typeof act>]>([
    ['the safe head went back from 5 to 4', act([], {}, { read: id(20), safe: 5 })],
    ['the unsafe head 20 is 0xbb20, read was 0xaa20', act([], { unsafe: l2(20, 'bb') })],
    ['the unsafe head went back to 19, read was 20', act([], { unsafe: l2(19) })],
    ['block 4 was derived as 0xaa4, posted was 0xbb4', act([channel(3, 4, [1, 1], 'bb')])],
    ['the channel of blocks 5 to 6 timed out on L1', act([channel(5, 6, [20, 71])])],
    [
      'derivation is past L1 block 8, and block 6 posted there is not safe',
      act([channel(3, 4, [7, 7]), channel(5, 6, [7, 8])]),
    ],
  ])('because %s', (reason, action) => {
    expect(action).toEqual(restart(reason));
  });
});
