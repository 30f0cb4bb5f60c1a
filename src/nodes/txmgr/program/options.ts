import { type OptionValues, option } from '../../../system/program/options.ts';
import { HOST_ORIGIN_OPTIONS } from '../../service/host-origin.ts';
import type { TxManagerOptions } from '../send-context.ts';

const node = option.url('http:', 'https:', 'ws:', 'wss:');

/** Endpoints, key and RPC server of a program that sends to L1. */
export const ENDPOINT_OPTIONS = {
  l1: {
    name: 'l1-eth-rpc',
    env: 'L1_ETH_RPC',
    help: 'JSON-RPC endpoint of L1',
    type: node,
    default: 'http://127.0.0.1:8545',
  },
  rollup: {
    name: 'rollup-rpc',
    env: 'ROLLUP_RPC',
    help: "JSON-RPC endpoint of a rollup node, the sequencer's for a batcher",
    type: node,
    default: 'http://127.0.0.1:9547',
  },
  privateKeyFile: {
    name: 'private-key-file',
    env: 'PRIVATE_KEY_FILE',
    help: 'File with the private key of the account that sends, readable by its owner only',
    type: option.string,
  },
  rpcHost: {
    name: 'rpc.addr',
    env: 'RPC_ADDR',
    help: "Address of this program's own RPC",
    type: option.string,
    default: '127.0.0.1',
  },
  rpcPort: {
    name: 'rpc.port',
    env: 'RPC_PORT',
    help: "Port of this program's own RPC, 0 takes any",
    type: option.port,
    default: 8545,
  },
  enableAdmin: {
    name: 'rpc.enable-admin',
    env: 'RPC_ENABLE_ADMIN',
    help: 'Serve the admin namespace',
    type: option.boolean,
    default: false,
  },
  ...HOST_ORIGIN_OPTIONS,
} as const;

/** Options of the transaction manager, spelled as in op-service's `txmgr` (`CLIFlags`, `CLIConfig`). */
export const TXMGR_OPTIONS = {
  confirmations: {
    name: 'num-confirmations',
    env: 'NUM_CONFIRMATIONS',
    help: 'L1 blocks from inclusion on, itself counted, before a transaction counts as there',
    type: option.natural,
    default: 1,
  },
  safeAbortNonceTooLow: {
    name: 'safe-abort-nonce-too-low-count',
    env: 'SAFE_ABORT_NONCE_TOO_LOW_COUNT',
    help: 'Polls with a used nonce and no inclusion after which the transaction is sent again with another nonce',
    type: option.natural,
    default: 3,
  },
  resubmissionTimeout: {
    name: 'resubmission-timeout',
    env: 'RESUBMISSION_TIMEOUT',
    help: 'Time without inclusion after which fees are raised',
    type: option.duration,
    default: 48_000,
    defaultText: '48s',
  },
  feeLimitMultiplier: {
    name: 'fee-limit-multiplier',
    env: 'TXMGR_FEE_LIMIT_MULTIPLIER',
    help: 'Fees rise up to this multiple of what the market asks',
    type: option.natural,
    default: 5,
  },
  feeLimitThreshold: {
    name: 'txmgr.fee-limit-threshold',
    env: 'TXMGR_FEE_LIMIT_THRESHOLD',
    help: 'Gwei up to which fees may rise whatever the multiple',
    type: option.number,
    default: 100,
  },
  minBaseFee: {
    name: 'txmgr.min-basefee',
    env: 'TXMGR_MIN_BASEFEE',
    help: 'Lowest base fee, gwei, that fees are made for',
    type: option.number,
    default: 1,
  },
  minTipCap: {
    name: 'txmgr.min-tip-cap',
    env: 'TXMGR_MIN_TIP_CAP',
    help: 'Lowest tip, gwei',
    type: option.number,
    default: 1,
  },
  networkTimeout: {
    name: 'network-timeout',
    env: 'NETWORK_TIMEOUT',
    help: 'Time that a request to a node may take',
    type: option.duration,
    default: 10_000,
    defaultText: '10s',
  },
  sendTimeout: {
    name: 'txmgr.send-timeout',
    env: 'TXMGR_TX_SEND_TIMEOUT',
    help: 'Time after which a transaction that is not included is given up; 0: never',
    type: option.duration,
    default: 0,
    defaultText: '0',
  },
  notInMempoolTimeout: {
    name: 'txmgr.not-in-mempool-timeout',
    env: 'TXMGR_TX_NOT_IN_MEMPOOL_TIMEOUT',
    help: 'Time after which a transaction that L1 never took into its pool is given up',
    type: option.duration,
    default: 120_000,
    defaultText: '2m',
  },
  receiptQueryInterval: {
    name: 'txmgr.receipt-query-interval',
    env: 'TXMGR_RECEIPT_QUERY_INTERVAL',
    help: 'Time between two polls of L1 for the receipt',
    type: option.duration,
    default: 500,
    defaultText: '500ms',
  },
} as const;

type SenderValues = OptionValues<typeof TXMGR_OPTIONS>;

/** Options that must be positive. */
const POSITIVE_OPTIONS = [
  'confirmations',
  'safeAbortNonceTooLow',
  'resubmissionTimeout',
  'feeLimitMultiplier',
  'networkTimeout',
  'notInMempoolTimeout',
  'receiptQueryInterval',
] as const;

const NON_NEGATIVE_OPTIONS = ['minBaseFee', 'minTipCap', 'feeLimitThreshold', 'sendTimeout'] as const;

/** Returns the problems of the values, a sentence each (op-service: `CLIConfig.Check`). */
export function checkTxmgrOptions(values: SenderValues): readonly string[] {
  const { minBaseFee, minTipCap } = values;
  const problems = POSITIVE_OPTIONS.filter((key) => values[key] <= 0).map(
    (key) => `--${TXMGR_OPTIONS[key].name}: expected more than 0, found ${values[key]}`,
  );
  for (const key of NON_NEGATIVE_OPTIONS)
    if (values[key] < 0)
      problems.push(`--${TXMGR_OPTIONS[key].name}: expected a value that is not negative, found ${values[key]}`);
  if (minBaseFee < minTipCap)
    problems.push(`--txmgr.min-basefee is ${minBaseFee}: expected at least --txmgr.min-tip-cap, which is ${minTipCap}`);
  return problems;
}

const GWEI = 1e9;

/** Returns the transaction manager's settings of these values (op-service: `txmgr.NewConfig`). */
export function txManagerOptions(values: SenderValues): TxManagerOptions {
  const wei = (gwei: number) => BigInt(Math.round(gwei * GWEI));
  return {
    confirmations: values.confirmations,
    safeAbortNonceTooLow: values.safeAbortNonceTooLow,
    resubmissionTimeout: values.resubmissionTimeout,
    sendTimeout: values.sendTimeout === 0 ? Number.POSITIVE_INFINITY : values.sendTimeout,
    notInMempoolTimeout: values.notInMempoolTimeout,
    pollInterval: Math.max(values.receiptQueryInterval, 10),
    fees: {
      minBaseFee: wei(values.minBaseFee),
      minTip: wei(values.minTipCap),
      limitMultiplier: BigInt(values.feeLimitMultiplier),
      limitThreshold: wei(values.feeLimitThreshold),
    },
  };
}
