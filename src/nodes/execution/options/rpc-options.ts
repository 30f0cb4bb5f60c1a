import { option, type ParsedLine } from '../../../system/program/options.ts';
import type { Flavour } from '../flavours/interface/flavour.ts';
import { type Limits, withLimits } from '../flavours/interface/limits.ts';

const FLAVOUR_DEFAULT = 'the flavour’s';
const MB = 1024 * 1024;

function natural<const Name extends string>(name: Name, help: string) {
  return { name, help: `${help}; 0: no limit`, type: option.natural, defaultText: FLAVOUR_DEFAULT } as const;
}

/**
 * Limits of the RPC in the spellings of both clients (reth: `RpcServerArgs`).
 * Each flavour accepts both.
 */
export const RPC_OPTIONS = {
  rpcGasCap: natural('rpc.gascap', 'Gas of a call'),
  rpcTimeout: {
    name: 'rpc.evmtimeout',
    help: 'Time that a call may run; 0: no limit',
    type: option.duration,
    defaultText: '5s',
  },
  rpcBatch: natural('rpc.batch-request-limit', 'Requests in a batch'),
  rpcBatchResponse: natural('rpc.batch-response-max-size', 'Bytes of all answers of a batch'),
  rpcRangeLimit: natural('rpc.rangelimit', 'Blocks that a query of logs may span'),
  rpcLogQueryLimit: natural('rpc.logquerylimit', 'Addresses, or topics of one position, in a query of logs'),
  rpcMaxRequest: natural('rpc.max-request-size', 'MB of a request'),
  rpcMaxResponse: natural('rpc.max-response-size', 'MB of an answer'),
  rpcMaxSubscriptions: natural('rpc.max-subscriptions-per-connection', 'Subscriptions of one connection'),
  rpcMaxConnections: natural('rpc.max-connections', 'Connections of one listener'),
  rpcMaxBlocks: natural('rpc.max-blocks-per-filter', 'Blocks that a query of logs may span'),
  rpcMaxLogs: natural('rpc.max-logs-per-response', 'Logs in one answer'),
  rpcMaxSimulated: natural('rpc.max-simulate-blocks', 'Blocks of one eth_simulateV1'),
  rpcSimulateTime: {
    name: 'rpc.simulate-block-time',
    help: 'Seconds between blocks of eth_simulateV1; 0: 12 s',
    type: option.natural,
    defaultText: '12',
  },
  rpcMaxTraced: natural('rpc.max-trace-filter-blocks', 'Blocks of one trace_filter'),
} as const;

/** Returns the flavour's limits with those of the command line. */
export function limitsOf(values: ParsedLine<typeof RPC_OPTIONS>['values'], flavour: Flavour): Limits {
  const bytes = (megabytes: number | undefined) => (megabytes === undefined ? undefined : megabytes * MB);
  return withLimits(flavour.limits, {
    gasCap: values.rpcGasCap,
    callTime: values.rpcTimeout,
    batch: values.rpcBatch,
    batchResponse: values.rpcBatchResponse,
    logRange: values.rpcMaxBlocks ?? values.rpcRangeLimit,
    logAddresses: values.rpcLogQueryLimit,
    logTopics: values.rpcLogQueryLimit,
    body: bytes(values.rpcMaxRequest),
    message: bytes(values.rpcMaxRequest),
    response: bytes(values.rpcMaxResponse),
    subscriptions: values.rpcMaxSubscriptions,
    connections: values.rpcMaxConnections,
    logs: values.rpcMaxLogs,
    simulatedBlocks: values.rpcMaxSimulated,
    simulatedBlockTime: values.rpcSimulateTime || undefined,
    traceRange: values.rpcMaxTraced,
  });
}
