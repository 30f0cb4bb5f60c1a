// biome-ignore-all lint/suspicious/noExplicitAny: answers are compared as they come

/**
 * Where anvil's traces differ from those of the clients that this one follows, with the reason; what is said here is left out of the
 * comparison. Anvil 1.7.1.
 */
export const KNOWN_DIFFERENCES: Readonly<Record<string, string>> = {
  'gas and gasUsed of a transaction’s own frame':
    'anvil shows the limit without the intrinsic gas, and the block’s gas so far as used',
  'gasUsed and gas of a legacy': 'anvil shows SELFDESTRUCT without sender, heir and value, under onlyTopCall too',
  'logs of a failed transaction’s own frame': 'anvil keeps them, the Go client clears them',
  'words of errors': 'anvil names the interpreter’s result where the Go client has words of its own',
  'accounts created by the transaction in prestateTracer': 'the Go client leaves those out that were empty before',
  'slots of zero in prestateTracer': 'anvil shows the slot of an SSTORE that ran out of gas too',
  'gasCost of CREATE, gasCost and storage of a failing step':
    'anvil adds the gas that it hands to the creation, and shows what was left',
};

/** Brings a trace to the form in which both sides are compared. */
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
          .filter(([, account]: any) => !isEmpty(account))
          .map(([address, { storage, ...account }]: any) => [address, { ...account, storage: written(storage) }]),
      );
    default:
      return answer;
  }
}

function written(storage: Record<string, string> = {}): unknown {
  return Object.fromEntries(Object.entries(storage).filter(([, value]) => BigInt(value) !== 0n));
}

function isEmpty({ balance, nonce, code }: any): boolean {
  return balance === '0x0' && nonce === undefined && code === undefined;
}

function step({ error, gasCost, op, storage, ...rest }: any): unknown {
  const hasCost = error === undefined && !/^CREATE/.test(op);
  const isDone = error === undefined;
  return { ...rest, op, failed: !isDone, ...(hasCost ? { gasCost } : {}), ...(isDone ? { storage } : {}) };
}

function frame({ gas, gasUsed, error, logs, calls = [], ...rest }: any, isTop = false): unknown {
  if (rest.type === 'SELFDESTRUCT') return { type: rest.type };
  const isShown = !(isTop && error !== undefined);
  return {
    ...rest,
    failed: error === undefined ? false : /revert/i.test(error) ? 'reverted' : true,
    ...(isTop ? {} : { gas, gasUsed }),
    ...(isShown ? { logs: logs ?? [] } : {}),
    calls: calls.map((call: any) => frame(call)),
  };
}
