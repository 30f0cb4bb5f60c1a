import { COMMON_OPTIONS } from '../../../system/program/common-options.ts';
import { option } from '../../../system/program/options.ts';
import { ENDPOINT_OPTIONS, TXMGR_OPTIONS } from '../../txmgr/program/options.ts';
import { ALT_DA_OPTIONS } from './alt-da-options.ts';
import { DATA_AVAILABILITY_TYPES } from './da-type.ts';
import { THROTTLE_OPTIONS } from './throttle-options.ts';

/**
 * Options of the batcher in op-batcher's spelling (op-batcher: `CLIConfig`). The key is read from a file: arguments are
 * visible to every user.
 */
export const BATCHER_OPTIONS = {
  ...COMMON_OPTIONS,
  ...ENDPOINT_OPTIONS,
  l2: {
    name: 'l2-eth-rpc',
    env: 'L2_ETH_RPC',
    help: "JSON-RPC endpoint of the sequencer's execution client",
    type: ENDPOINT_OPTIONS.l1.type,
    default: 'http://127.0.0.1:9545',
  },
  dataAvailability: {
    name: 'data-availability-type',
    env: 'DATA_AVAILABILITY_TYPE',
    help: 'What carries the batches on L1; auto: what costs less when a channel is opened',
    type: option.choice(...DATA_AVAILABILITY_TYPES),
    default: 'calldata',
  },
  batchType: {
    name: 'batch-type',
    env: 'BATCH_TYPE',
    help: '0: singular batches, 1: span batches',
    type: option.choice('0', '1'),
    default: '0',
  },
  maxBlocksPerSpanBatch: {
    name: 'max-blocks-per-span-batch',
    env: 'MAX_BLOCKS_PER_SPAN_BATCH',
    help: 'Blocks of one span batch, of which a channel may hold several; 0: any number',
    type: option.natural,
    default: 0,
  },
  compressor: {
    name: 'compressor',
    env: 'COMPRESSOR',
    help: 'Estimate of a full channel: shadow compresses, ratio assumes --approx-compr-ratio, none does not compress',
    type: option.choice('shadow', 'ratio', 'none'),
    default: 'shadow',
  },
  approxRatio: {
    name: 'approx-compr-ratio',
    env: 'APPROX_COMPR_RATIO',
    help: 'Compressed size by input size that the ratio compressor assumes, above 0 and at most 1',
    type: option.number,
    default: 0.6,
  },
  compression: {
    name: 'compression-algo',
    env: 'COMPRESSION_ALGO',
    help: 'Compression of channels',
    type: option.choice('zlib', 'brotli', 'brotli-9', 'brotli-10', 'brotli-11'),
    default: 'zlib',
  },
  maxChannelDuration: {
    name: 'max-channel-duration',
    env: 'MAX_CHANNEL_DURATION',
    help: 'L1 blocks from one posting to the next, however empty; 0: only when a channel is full or must be posted',
    type: option.natural,
    default: 1,
  },
  subSafetyMargin: {
    name: 'sub-safety-margin',
    env: 'SUB_SAFETY_MARGIN',
    help: 'L1 blocks before the sequencing window or the channel timeout ends within which a channel is posted',
    type: option.natural,
    default: 10,
  },
  targetNumFrames: {
    name: 'target-num-frames',
    env: 'TARGET_NUM_FRAMES',
    help: 'Frames that a channel may grow to; with blobs also those of one transaction, at most 6',
    type: option.natural,
    default: 1,
  },
  maxTxSize: {
    name: 'max-l1-tx-size-bytes',
    env: 'MAX_L1_TX_SIZE_BYTES',
    help: 'Bytes of calldata of one transaction',
    type: option.natural,
    default: 120_000,
  },
  maxPending: {
    name: 'max-pending-tx',
    env: 'MAX_PENDING_TX',
    help: 'Transactions under way at once; 0: any number',
    type: option.natural,
    default: 10,
  },
  pollInterval: {
    name: 'poll-interval',
    env: 'POLL_INTERVAL',
    help: 'Time between two polls of the rollup node',
    type: option.duration,
    default: 500,
    defaultText: '500ms',
  },
  waitNodeSync: {
    name: 'wait-node-sync',
    env: 'WAIT_NODE_SYNC',
    help: "Before the first posting, wait until the rollup node has derived up to L1's head as it is at the start",
    type: option.boolean,
    default: false,
  },
  checkRecentTxsDepth: {
    name: 'check-recent-txs-depth',
    env: 'CHECK_RECENT_TXS_DEPTH',
    help: 'L1 blocks, at most 128, to search for the last transaction that --wait-node-sync waits for; 0: the head',
    type: option.natural,
    default: 0,
  },
  ...THROTTLE_OPTIONS,
  ...ALT_DA_OPTIONS,
  ...TXMGR_OPTIONS,
  stopped: {
    name: 'stopped',
    env: 'STOPPED',
    help: 'Start idle, until admin_startBatcher',
    type: option.boolean,
    default: false,
  },
} as const;
