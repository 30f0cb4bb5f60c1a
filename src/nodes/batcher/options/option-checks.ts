import { FRAME_OVERHEAD } from '../../../protocol/codec/frame.ts';
import { MAX_INPUT_SIZE } from '../../../protocol/derivation/alt-da/inputs.ts';
import type { OptionValues } from '../../../system/program/options.ts';
import { MAX_RECENT_TXS_DEPTH } from '../../txmgr/rollup-sync.ts';
import { ALT_DA_OPTIONS } from './alt-da-options.ts';
import type { BATCHER_OPTIONS } from './options.ts';
import { MAX_BLOBS } from './tx-data.ts';

/** Bytes of the version, a frame's overhead and one byte of data. */
const LEAST_TX_SIZE = 1 + FRAME_OVERHEAD + 1;

/** Returns the problems of the batcher's options, a sentence each (op-batcher: `CLIConfig.Check`). */
export function checkBatcherOptions(
  values: OptionValues<typeof BATCHER_OPTIONS>,
  explicit: ReadonlySet<keyof typeof BATCHER_OPTIONS>,
): readonly string[] {
  const { targetNumFrames, dataAvailability, compressor, approxRatio, throttleLower, throttleUpper } = values;
  const daOption = `--data-availability-type=${dataAvailability}`;
  const rules: readonly (readonly [boolean, string])[] = [
    [targetNumFrames < 1, '--target-num-frames: expected at least 1, found 0'],
    [
      dataAvailability !== 'calldata' && targetNumFrames > MAX_BLOBS,
      `--target-num-frames: expected at most ${MAX_BLOBS} with ${daOption}, found ${targetNumFrames}`,
    ],
    [
      values.maxTxSize < LEAST_TX_SIZE,
      `--max-l1-tx-size-bytes: expected at least ${LEAST_TX_SIZE}, found ${values.maxTxSize}`,
    ],
    [values.pollInterval <= 0, '--poll-interval: expected more than 0'],
    [
      approxRatio <= 0 || approxRatio > 1,
      `--approx-compr-ratio: expected more than 0, at most 1, found ${approxRatio}`,
    ],
    [
      explicit.has('approxRatio') && compressor !== 'ratio',
      `--approx-compr-ratio has no effect with --compressor=${compressor}: give --compressor=ratio, or leave it out`,
    ],
    [
      compressor === 'none' && values.compression !== 'zlib',
      `--compression-algo=${values.compression} contradicts --compressor=none, which stores data in zlib's format`,
    ],
    [
      values.maxBlocksPerSpanBatch > 0 && values.batchType !== '1',
      '--max-blocks-per-span-batch has no effect on singular batches: give --batch-type=1, or leave it out',
    ],
    [
      values.checkRecentTxsDepth > MAX_RECENT_TXS_DEPTH,
      `--check-recent-txs-depth: expected at most ${MAX_RECENT_TXS_DEPTH}, found ${values.checkRecentTxsDepth}`,
    ],
    [
      values.checkRecentTxsDepth > 0 && !values.waitNodeSync,
      '--check-recent-txs-depth has no effect without --wait-node-sync',
    ],
    [
      throttleLower > 0 && throttleUpper <= throttleLower,
      '--throttle.unsafe-da-bytes-upper-threshold: ' +
        `expected more than the lower threshold ${throttleLower}, found ${throttleUpper}`,
    ],
    [
      values.altDaEnabled && values.altDaServer === undefined,
      '--altda.da-server is missing: the address of the DA server',
    ],
    [
      values.altDaEnabled && dataAvailability !== 'calldata',
      `${daOption} contradicts --altda.enabled: commitments are posted in calldata`,
    ],
    [
      values.altDaEnabled && !values.altDaService && values.maxTxSize > MAX_INPUT_SIZE,
      `--max-l1-tx-size-bytes: expected at most ${MAX_INPUT_SIZE} with keccak commitments, ` +
        `found ${values.maxTxSize}: ` +
        'larger inputs are dropped, because a challenge could not be answered on L1',
    ],
    [values.altDaRequests < 1, '--altda.max-concurrent-da-requests: expected at least 1, found 0'],
    ...(['altDaServer', 'altDaService', 'altDaPutTimeout', 'altDaRequests'] as const).map(
      (key) =>
        [
          explicit.has(key) && !values.altDaEnabled,
          `--${ALT_DA_OPTIONS[key].name} has no effect without --altda.enabled`,
        ] as const,
    ),
    ...values.throttleEndpoints.map(
      (url) =>
        [
          !/^(https?|wss?):\/\//.test(url) || !URL.canParse(url),
          `--throttle.additional-endpoints: expected URLs of http, https, ws or wss, found ${JSON.stringify(url)}`,
        ] as const,
    ),
  ];
  return rules.flatMap(([isWrong, sentence]) => (isWrong ? [sentence] : []));
}
