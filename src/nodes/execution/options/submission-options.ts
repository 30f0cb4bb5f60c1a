import { type OptionValues, option } from '../../../system/program/options.ts';
import type { PoolBehaviour } from '../pool/behaviour.ts';
import type { SubmissionOptions } from '../pool/submission.ts';

/** Options for submitted transactions. */
export const SUBMISSION_OPTIONS = {
  sequencerHttp: {
    name: 'rollup.sequencer-http',
    env: 'ROLLUP_SEQUENCER_HTTP',
    help: 'URL that raw transactions are forwarded to',
    type: option.url('http:', 'https:'),
  },
  sequencerHttpGo: {
    name: 'rollup.sequencerhttp',
    help: 'The same, in the go client’s spelling',
    type: option.url('http:', 'https:'),
  },
  poolAdmission: {
    name: 'rollup.enabletxpooladmission',
    env: 'ROLLUP_ENABLETXPOOLADMISSION',
    help: 'Keep forwarded transactions in this node’s pool too, so that pending nonces count them',
    type: option.boolean,
    defaultText: 'false (go), true (rust)',
  },
  conditionalGo: {
    name: 'rollup.sequencertxconditionalenabled',
    env: 'ROLLUP_SEQUENCERTXCONDITIONALENABLED',
    help: 'Serve eth_sendRawTransactionConditional',
    type: option.boolean,
    default: false,
  },
  conditionalRust: {
    name: 'rollup.enable-tx-conditional',
    help: 'The same, in the rust client’s spelling',
    type: option.boolean,
    default: false,
  },
  waitStandard: {
    name: 'rpc.txsync.defaulttimeout',
    env: 'RPC_TXSYNC_DEFAULTTIMEOUT',
    help: 'Timeout of eth_sendRawTransactionSync',
    type: option.duration,
    defaultText: '20s (go), 30s (rust)',
  },
  waitMost: {
    name: 'rpc.txsync.maxtimeout',
    env: 'RPC_TXSYNC_MAXTIMEOUT',
    help: 'Maximum timeout that a request may set',
    type: option.duration,
    defaultText: '1m (go), 30s (rust)',
  },
  waitRust: {
    name: 'rpc.send-raw-transaction-sync-timeout',
    help: 'Both timeouts, in the rust client’s spelling',
    type: option.duration,
  },
} as const;

type Values = OptionValues<typeof SUBMISSION_OPTIONS>;

/** Returns the submission options of a command line. Defaults are the flavour's. */
export function submissionOptionsOf(values: Partial<Values>, { keepsForwarded }: PoolBehaviour): SubmissionOptions {
  const sequencer = values.sequencerHttp ?? values.sequencerHttpGo;
  return { admission: values.poolAdmission ?? keepsForwarded, ...(sequencer === undefined ? {} : { sequencer }) };
}

/** Returns the receipt timeouts of a command line in milliseconds. Defaults are the flavour's. */
export function receiptTimeoutsOf(values: Partial<Values>, { receiptTimeouts }: PoolBehaviour) {
  return {
    standard: values.waitStandard ?? values.waitRust ?? receiptTimeouts.standard,
    most: values.waitMost ?? values.waitRust ?? receiptTimeouts.most,
  };
}
