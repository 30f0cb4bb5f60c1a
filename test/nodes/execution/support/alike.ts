// biome-ignore-all lint/suspicious/noExplicitAny: answers are compared as they come

import { FEE_RECIPIENTS } from '../../../../src/protocol/execution/predeploys.ts';

/**
 * Differences of anvil's traces (1.7.1) from the followed clients, with the reason.
 * The comparison leaves them out.
 */
export const KNOWN_DIFFERENCES: Readonly<Record<string, string>> = {
  'gas and gasUsed of a transaction’s own frame':
    'anvil shows the limit without the intrinsic gas, and the block’s gas so far as used',
  'gasUsed and gas of a legacy': 'anvil shows SELFDESTRUCT without sender, heir and value, under onlyTopCall too',
  'logs of a failed transaction’s own frame': 'anvil keeps them, the Go client clears them',
  'why gas ran out': 'anvil says whether for memory',
  'accounts that the transaction created or could not create, in prestateTracer':
    'the Go client leaves out what was empty before, and looks at the address of every creation',
  'vaults of base, L1 and operator fees in prestateTracer': 'anvil burns the base fee and knows no others',
  'refund of an inner step and of an SSTORE':
    'anvil counts over the frame and before the instruction, the Go client over the transaction and with it',
  'precompiles in trace_*': 'anvil lists calls of precompiles, the Rust client does not',
  'names of undefined instructions': 'anvil has one for all, the Go client says the byte',
  'slots of zero in prestateTracer': 'anvil shows the slot of an SSTORE that ran out of gas too',
  'gasCost of a failing step': 'anvil shows what was left',
  'store in vmTrace': 'anvil, and op-reth with it, shows none: an SSTORE stores something',
  'push and sub of calls in vmTrace':
    'anvil and op-reth show the stack during the call, attach deeper frames to other calls, ' +
    'and omit all instructions where the last one is a STOP and some frame begins with one',
  'push of a failed instruction in vmTrace': 'anvil shows what lay on the stack; it pushed nothing',
};

const VAULTS: ReadonlySet<string> = new Set([FEE_RECIPIENTS.base, FEE_RECIPIENTS.l1, FEE_RECIPIENTS.operator]);

/** Normalizes a trace for the comparison. */
export function alike(trace: string, answer: any): unknown {
  switch (trace) {
    case 'structLog':
      return answer.structLogs.map(step);
    case 'callTracer':
      return frame(answer, true);
    case 'topCall':
      return { ...(frame(answer, true) as object), calls: undefined };
    case 'prestateTracer':
      return Object.fromEntries(
        Object.entries(answer)
          .filter(([address, account]: any) => !isEmpty(account) && !VAULTS.has(address))
          .map(([address, { storage, ...account }]: any) => [address, { ...account, storage: written(storage) }]),
      );
    case 'diffMode':
      return Object.fromEntries(
        Object.entries(answer).map(([side, accounts]: any) => [
          side,
          Object.fromEntries(Object.entries(accounts).filter(([address]) => !VAULTS.has(address))),
        ]),
      );
    case 'parity':
      return withoutPrecompiles(answer).map(flat);
    default:
      return answer;
  }
}

function written(storage: Record<string, string> = {}): unknown {
  return Object.fromEntries(Object.entries(storage).filter(([, value]) => BigInt(value) !== 0n));
}

/** Removes calls of precompiles and renumbers the others. */
function withoutPrecompiles(answer: any[]): any[] {
  const isPrecompile = ({ action, traceAddress }: any) =>
    traceAddress.length > 0 && /^0x0{37}[01][0-9a-f]{2}$/.test(action.to ?? '') && action.value === '0x0';
  const frames = answer.filter((one) => !isPrecompile(one));
  const places = new Set(frames.map(({ traceAddress }) => traceAddress.join()));
  const before = (place: number[], at: number) =>
    Array.from({ length: place[at]! }, (_, index) => [...place.slice(0, at), index].join()).filter((one) =>
      places.has(one),
    ).length;
  return frames.map((one) => ({
    ...one,
    traceAddress: one.traceAddress.map((_: number, at: number) => before(one.traceAddress, at)),
    subtraces: frames.filter(
      ({ traceAddress }) =>
        traceAddress.length === one.traceAddress.length + 1 &&
        traceAddress.slice(0, -1).join() === one.traceAddress.join(),
    ).length,
  }));
}

/** Removes the block of a Parity trace. Only one of the two chains has deposits. */
function flat({ blockHash, transactionPosition, action, result, error, type, traceAddress, ...rest }: any): unknown {
  const isTop = traceAddress.length === 0;
  const { gasUsed, ...outcome } = result ?? {};
  return {
    ...rest,
    type,
    traceAddress,
    action: type === 'suicide' ? {} : action,
    result: result === null ? null : isTop ? outcome : result,
    failed: error === undefined ? false : /revert/i.test(error) ? 'reverted' : true,
  };
}

function isEmpty({ balance, nonce, code }: any): boolean {
  return BigInt(balance ?? 0) < 1_000_000n && nonce === undefined && code === undefined;
}

function step({ refund, error, gasCost, op, ...rest }: any): unknown {
  const name = /not defined$/.test(op) ? 'Unknown' : op;
  return {
    ...rest,
    op: name,
    error: error?.replace(/[A-Za-z]*OOG|OutOfGas/, 'OutOfGas'),
    ...(rest.depth === 1 && op !== 'SSTORE' ? { refund } : {}),
    ...(error === undefined ? { gasCost } : {}),
  };
}

function frame({ gas, gasUsed, error, logs, calls = [], ...rest }: any, isTop = false): unknown {
  if (rest.type === 'SELFDESTRUCT') return { type: rest.type };
  const isShown = !(isTop && error !== undefined);
  return {
    ...rest,
    error: error?.replace(/^out of gas.*/, 'out of gas'),
    ...(isTop ? {} : { gas, gasUsed }),
    ...(isShown ? { logs: logs ?? [] } : {}),
    calls: calls.map((call: any) => frame(call)),
  };
}
