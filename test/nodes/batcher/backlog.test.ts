import { describe, expect, it } from 'vitest';
import { Backlog } from '../../../src/nodes/batcher/backlog.ts';
import { estimatedSizeScaled } from '../../../src/protocol/execution/data-gas.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';
import type { ExecutionPayload, Hex } from '../../../src/protocol/types.ts';
import { userTransaction } from '../../protocol/derivation/scripted/transactions.ts';
import { noise } from './harness.ts';

const DEPOSIT: Hex = '0x7e01';
const block = (blockNumber: number, ...transactions: Hex[]) =>
  ({ blockNumber, transactions }) as unknown as ExecutionPayload;
/** Below 100 bytes, which is the least estimate. */
const small = userTransaction(1, new Uint8Array(0));
const large = userTransaction(2, noise(2));

describe('backlog', () => {
  it('is empty at first, and estimates the bytes of transactions but for deposits', () => {
    const backlog = new Backlog();
    expect(backlog.bytes).toBe(0);
    backlog.add(block(1, DEPOSIT));
    expect(backlog.bytes).toBe(0);
    backlog.add(block(2, DEPOSIT, small, small));
    expect(backlog.bytes).toBe(200);
  });

  it('rounds the estimate of a block up, not that of each transaction', () => {
    const scaled = estimatedSizeScaled(hexToBytes(large));
    expect(scaled % 1e6).toBeGreaterThan(0);
    const backlog = new Backlog();
    backlog.add(block(1, large, large, large));
    expect(backlog.bytes).toBe(Math.ceil((3 * scaled) / 1e6));
  });

  /** Blocks 1 to 4 of 100, 200, 300 and 400 bytes. */
  const filled = () => {
    const backlog = new Backlog();
    for (const number of [1, 2, 3, 4]) backlog.add(block(number, ...Array.from({ length: number }, () => small)));
    return backlog;
  };

  it.each([
    [0, 1000],
    [1, 900],
    [3, 400],
    [4, 0],
    [9, 0],
  ])('has no blocks up to %i after they are safe: %i bytes', (number, bytes) => {
    const backlog = filled();
    backlog.dropThrough(number);
    expect(backlog.bytes).toBe(bytes);
  });

  it.each([
    [0, 0],
    [1, 100],
    [3, 600],
    [4, 1000],
    [9, 1000],
  ])('has no blocks above %i when they are read again: %i bytes', (number, bytes) => {
    const backlog = filled();
    backlog.dropAbove(number);
    expect(backlog.bytes).toBe(bytes);
    backlog.add(block(10, small));
    expect(backlog.bytes).toBe(bytes + 100);
  });
});
