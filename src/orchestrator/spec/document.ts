import type { ChainSpec, NodeSpec, ProcessSpec, Spec } from './spec.ts';
import { bytesText, type ForkTime, forkTimeText, weiText } from './values.ts';

/** A resolved spec as a document, every default written out. Reading it gives the same spec. */
export function specDocument(spec: Spec): object {
  const { chains, l1, logs, ...rest } = spec;
  const { chainId, blockTime, hardfork, finality, onExit, alloc, beacon, ...process } = l1;
  return {
    ...rest,
    logs: { size: bytesText(logs.size) },
    l1: {
      ...processDocument(process),
      chainId,
      blockTime,
      hardfork,
      finality,
      onExit,
      ...(alloc === null ? {} : { alloc }),
      beacon: processDocument(beacon),
    },
    chains: mapValues(chains, chainDocument),
  };
}

function chainDocument(spec: ChainSpec): object {
  const { forks, accounts, batcher, proposer, nodes, from, bundles, alloc, ...chain } = spec;
  // What an existing chain's files say is not said again.
  const { chainId, blockTime, gasLimit, systemConfig, ...rest } = chain;
  const own =
    from === null
      ? { chainId, blockTime, gasLimit, systemConfig, forks: { base: forks.base, ...mapValues(forks.times, timeText) } }
      : { from };
  return {
    ...own,
    accounts: accountsDocument(accounts),
    ...(alloc === null ? {} : { alloc }),
    ...(Object.keys(bundles).length === 0 ? {} : { bundles }),
    batcher: batcher === null ? false : { ...processDocument(batcher), da: batcher.da },
    proposer: proposer === null ? false : processDocument(proposer),
    ...rest,
    nodes: mapValues(nodes, nodeDocument),
  };
}

function accountsDocument({ count, balance, mnemonic, addresses }: ChainSpec['accounts']): object {
  return {
    count,
    balance: weiText(BigInt(balance)),
    ...(mnemonic === null ? {} : { mnemonic }),
    ...(addresses.length === 0 ? {} : { addresses }),
  };
}

function nodeDocument({ role, el, cl, override, peers }: NodeSpec): object {
  return { role, el: processDocument(el), cl: processDocument(cl), override: mapValues(override, timeText), peers };
}

function processDocument({ args, env, ports, omit, ...process }: ProcessSpec): object {
  // An external process has no client of ours.
  return Object.fromEntries(
    Object.entries({ ...process, args, env, ports, ...(Object.keys(omit).length === 0 ? {} : { omit }) }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}

function timeText(time: ForkTime | undefined): unknown {
  return time === undefined ? undefined : forkTimeText(time);
}

function mapValues<T>(
  map: Readonly<Record<string, T>> | Readonly<Partial<Record<string, T>>>,
  change: (value: T) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value as T)]));
}
