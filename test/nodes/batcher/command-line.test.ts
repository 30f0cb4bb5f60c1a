import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { main } from '../../../src/nodes/batcher/main.ts';

const folder = mkdtempSync(join(tmpdir(), 'batch-'));
const key = join(folder, 'key');

beforeAll(() => writeFileSync(key, `0x${'11'.repeat(32)}`, { mode: 0o600 }));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the output for a command line, and the exit code. */
async function run(argv: string[], env: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  let output = '';
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
  try {
    return { code: await main([`--private-key-file=${key}`, ...argv], env), output };
  } finally {
    write.mockRestore();
  }
}

describe('the command line of the batcher', () => {
  it.each(['BATCHER_', 'OP_BATCHER_'])('reads variables that begin with %s, and names itself', async (prefix) => {
    const { code, output } = await run([], { [`${prefix}POLL_INTERVAL`]: '0' });
    expect(code).toBe(2);
    expect(output).toMatch(/^devnet-batcher: --poll-interval: expected more than 0/);
  });

  it.each([
    ['--target-num-frames=0', '--target-num-frames: expected at least 1'],
    ['--target-num-frames=7 --data-availability-type=blobs', 'expected at most 6 with --data-availability-type=blobs'],
    ['--target-num-frames=7 --data-availability-type=auto', 'expected at most 6 with --data-availability-type=auto'],
    ['--max-l1-tx-size-bytes=24', '--max-l1-tx-size-bytes: expected at least 25'],
    ['--poll-interval=0', '--poll-interval: expected more than 0'],
    ['--compressor=ratio --approx-compr-ratio=1.5', '--approx-compr-ratio: expected more than 0, at most 1'],
    ['--approx-compr-ratio=0.5', 'no effect with --compressor=shadow: give --compressor=ratio'],
    ['--compressor=none --compression-algo=brotli', '--compression-algo=brotli contradicts --compressor=none'],
    ['--compressor=blind', 'expected one of shadow, ratio, none, found "blind"'],
    ['--compression-algo=brotli-12', 'expected one of zlib, brotli, brotli-9, brotli-10, brotli-11'],
    ['--batch-type=2', 'expected one of 0, 1, found "2"'],
    ['--data-availability-type=blob', 'expected one of calldata, blobs, auto, found "blob"'],
    ['--max-blocks-per-span-batch=2', 'no effect on singular batches: give --batch-type=1'],
    ['--check-recent-txs-depth=129 --wait-node-sync', '--check-recent-txs-depth: expected at most 128'],
    ['--check-recent-txs-depth=4', 'no effect without --wait-node-sync'],
    [
      '--throttle.unsafe-da-bytes-lower-threshold=5 --throttle.unsafe-da-bytes-upper-threshold=5',
      'expected more than the lower threshold 5, found 5',
    ],
    ['--throttle.additional-endpoints=127.0.0.1:1', 'expected URLs of http, https, ws or wss'],
    ['--throttle.controller-type=pid', 'expected one of step, linear, quadratic, found "pid"'],
    ['--altda.enabled', '--altda.da-server is missing'],
    ['--altda.da-server=http://127.0.0.1:1', '--altda.da-server has no effect without --altda.enabled'],
    [
      '--altda.enabled --altda.da-server=http://127.0.0.1:1 --data-availability-type=auto',
      '--data-availability-type=auto contradicts --altda.enabled',
    ],
    [
      '--altda.enabled --altda.da-server=http://127.0.0.1:1 --max-l1-tx-size-bytes=130673',
      'expected at most 130672 with keccak commitments',
    ],
    ['--altda.max-concurrent-da-requests=0 --altda.enabled', 'expected at least 1, found 0'],
    ['--altda.get-timeout=1s', 'reads nothing from a DA server'],
    ['--num-confirmations=0', '--num-confirmations: expected more than 0'],
    ['--safe-abort-nonce-too-low-count=0', '--safe-abort-nonce-too-low-count: expected more than 0'],
    ['--resubmission-timeout=0', '--resubmission-timeout: expected more than 0'],
    ['--fee-limit-multiplier=0', '--fee-limit-multiplier: expected more than 0'],
    ['--network-timeout=0', '--network-timeout: expected more than 0'],
    ['--txmgr.receipt-query-interval=0', '--txmgr.receipt-query-interval: expected more than 0'],
    ['--txmgr.not-in-mempool-timeout=0', '--txmgr.not-in-mempool-timeout: expected more than 0'],
    ['--txmgr.min-basefee=0.5', 'expected at least --txmgr.min-tip-cap'],
    ['--txmgr.min-tip-cap=-1', '--txmgr.min-tip-cap: expected a value that is not negative'],
    ['--max-channel-durations=1', 'Did you mean --max-channel-duration?'],
    ['--private-key=0x11', '--private-key is not offered: the key comes by file'],
    ['--throttle.pid-kp=0.3', '--throttle.controller-type is step, linear or quadratic'],
    ['--metrics.enabled', 'there is no metrics server'],
    ['start', 'unexpected word "start"'],
  ])('%s is refused: %s', async (line, words) => {
    const { code, output } = await run(line.split(' '));
    expect(output).toContain(words);
    expect(code).toBe(2);
  });

  it('reports all problems at once, also those of the environment', async () => {
    const { code, output } = await run(['--num-confirmations=0', 'now'], { OP_BATCHER_TARGET_NUM_FRAMES: '0' });
    expect(code).toBe(2);
    for (const words of ['unexpected word "now"', '--num-confirmations', '--target-num-frames'])
      expect(output).toContain(words);
  });
});
