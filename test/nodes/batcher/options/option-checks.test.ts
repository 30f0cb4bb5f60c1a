import { expect, it } from 'vitest';
import { checkBatcherOptions } from '../../../../src/nodes/batcher/options/option-checks.ts';
import { BATCHER_OPTIONS } from '../../../../src/nodes/batcher/options/options.ts';
import { parseOptions } from '../../../../src/system/program/options.ts';

const LINE = { name: 'batcher', version: 'test', summary: '', envPrefixes: [] };

/** Returns the options that the problems of a command line name first. */
function problemsOf(line: string) {
  const { values, explicit } = parseOptions(LINE, BATCHER_OPTIONS, line.split(' ').filter(Boolean), {});
  return checkBatcherOptions(values, explicit).map((problem) => /^--[\w.-]+/.exec(problem)?.[0]);
}

const DA = '--altda.enabled --altda.da-server=http://127.0.0.1:1';
const URLS = '--throttle.additional-endpoints';

it.each([
  [''],
  ['--target-num-frames=1'],
  ['--target-num-frames=7'],
  ['--target-num-frames=6 --data-availability-type=blobs'],
  ['--target-num-frames=6 --data-availability-type=auto'],
  ['--max-l1-tx-size-bytes=25'],
  ['--poll-interval=1ms'],
  ['--compressor=ratio --approx-compr-ratio=1'],
  ['--compressor=ratio --approx-compr-ratio=0.01'],
  ['--compressor=none --compression-algo=zlib'],
  ['--compression-algo=brotli'],
  ['--max-blocks-per-span-batch=1 --batch-type=1'],
  ['--max-blocks-per-span-batch=0'],
  ['--check-recent-txs-depth=128 --wait-node-sync'],
  ['--throttle.unsafe-da-bytes-lower-threshold=0 --throttle.unsafe-da-bytes-upper-threshold=0'],
  ['--throttle.unsafe-da-bytes-lower-threshold=5 --throttle.unsafe-da-bytes-upper-threshold=6'],
  [DA],
  [`${DA} --max-l1-tx-size-bytes=130672`],
  [`${DA} --max-l1-tx-size-bytes=130673 --altda.da-service`],
  [`${DA} --altda.max-concurrent-da-requests=1 --altda.put-timeout=1s`],
  ['--max-l1-tx-size-bytes=130673'],
  [`${URLS}=http://a,https://a,ws://a,wss://a`],
])('the options "%s" have no problem', (line) => {
  expect(problemsOf(line)).toEqual([]);
});

it.each([
  ['--target-num-frames=0', ['--target-num-frames']],
  ['--target-num-frames=7 --data-availability-type=blobs', ['--target-num-frames']],
  ['--target-num-frames=7 --data-availability-type=auto', ['--target-num-frames']],
  ['--max-l1-tx-size-bytes=24', ['--max-l1-tx-size-bytes']],
  ['--poll-interval=0s', ['--poll-interval']],
  ['--compressor=ratio --approx-compr-ratio=0', ['--approx-compr-ratio']],
  ['--compressor=ratio --approx-compr-ratio=1.01', ['--approx-compr-ratio']],
  ['--approx-compr-ratio=0.5', ['--approx-compr-ratio']],
  ['--compressor=none --compression-algo=brotli', ['--compression-algo']],
  ['--max-blocks-per-span-batch=1', ['--max-blocks-per-span-batch']],
  ['--check-recent-txs-depth=129 --wait-node-sync', ['--check-recent-txs-depth']],
  ['--check-recent-txs-depth=1', ['--check-recent-txs-depth']],
  [
    '--throttle.unsafe-da-bytes-lower-threshold=1 --throttle.unsafe-da-bytes-upper-threshold=1',
    ['--throttle.unsafe-da-bytes-upper-threshold'],
  ],
  ['--altda.enabled', ['--altda.da-server']],
  [`${DA} --data-availability-type=blobs`, ['--data-availability-type']],
  [`${DA} --max-l1-tx-size-bytes=130673`, ['--max-l1-tx-size-bytes']],
  [`${DA} --altda.max-concurrent-da-requests=0`, ['--altda.max-concurrent-da-requests']],
  ['--altda.da-server=http://a', ['--altda.da-server']],
  ['--altda.da-service', ['--altda.da-service']],
  ['--altda.put-timeout=1s', ['--altda.put-timeout']],
  ['--altda.max-concurrent-da-requests=2', ['--altda.max-concurrent-da-requests']],
  [`${URLS}=ftp://a`, [URLS]],
  [`${URLS}=xhttp://a`, [URLS]],
  [`${URLS}=http://a,http://[,b`, [URLS, URLS]],
  ['--target-num-frames=0 --poll-interval=0s', ['--target-num-frames', '--poll-interval']],
])('the options "%s" have a problem at %j', (line, options) => {
  expect(problemsOf(line)).toEqual(options);
});
