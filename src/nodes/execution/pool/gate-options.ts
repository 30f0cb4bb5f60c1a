import { type OptionValues, option } from '../../../system/options.ts';
import type { GateOptions } from './gate.ts';
import type { PoolManners } from './manners.ts';

/** Options of where users' transactions go. */
export const GATE_OPTIONS = {
  sequencerHttp: {
    name: 'rollup.sequencer-http',
    env: 'ROLLUP_SEQUENCER_HTTP',
    help: 'Where raw transactions are forwarded to',
    type: option.url('http:', 'https:'),
  },
  sequencerHttpGo: {
    name: 'rollup.sequencerhttp',
    help: 'The same, as the go client spells it',
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
    help: 'The same, as the rust client spells it',
    type: option.boolean,
    default: false,
  },
  waitStandard: {
    name: 'rpc.txsync.defaulttimeout',
    env: 'RPC_TXSYNC_DEFAULTTIMEOUT',
    help: 'How long eth_sendRawTransactionSync waits for a receipt',
    type: option.duration,
    defaultText: '20s (go), 30s (rust)',
  },
  waitMost: {
    name: 'rpc.txsync.maxtimeout',
    env: 'RPC_TXSYNC_MAXTIMEOUT',
    help: 'The longest that it can be asked to wait',
    type: option.duration,
    defaultText: '1m (go), 30s (rust)',
  },
  waitRust: {
    name: 'rpc.send-raw-transaction-sync-timeout',
    help: 'Both, as the rust client spells it',
    type: option.duration,
  },
} as const;

type Values = OptionValues<typeof GATE_OPTIONS>;

/** Where users' transactions go, by the options and else as the flavour does. */
export function gateOptionsOf(values: Partial<Values>, { keepsForwarded }: PoolManners): GateOptions {
  const sequencer = values.sequencerHttp ?? values.sequencerHttpGo;
  return { admission: values.poolAdmission ?? keepsForwarded, ...(sequencer === undefined ? {} : { sequencer }) };
}

/** Milliseconds that a caller waits for a receipt, by the options and else as the flavour does. */
export function waitsOf(values: Partial<Values>, { waits }: PoolManners) {
  return {
    standard: values.waitStandard ?? values.waitRust ?? waits.standard,
    most: values.waitMost ?? values.waitRust ?? waits.most,
  };
}
