import { type Abi, type AbiEvent, type AbiItem, multicall3Abi, toEventSelector, toFunctionSelector } from 'viem';
import { formatAbiItem, formatAbiParams } from 'viem/utils';
import { artefact } from './artefacts.ts';
import { BEDROCK, l1Proxies } from './l1-proxies.ts';
import { readManifest } from './manifest.ts';

/** The contents of `dist/abi.json`: signatures by selector (4 bytes) or topic (32 bytes), in viem's readable form. */
export interface AbiTables {
  readonly functions: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
  /** Several if contracts index other arguments of the same event. */
  readonly events: Readonly<Record<string, readonly string[]>>;
}

/** Contracts that no proxy of a new chain has: those that users or other contracts create, and owners. */
const OTHERS = [
  ...['AddressManager', 'ProxyAdmin', 'Proxy', 'PermissionedDisputeGame', 'DelayedWETH'],
  ...['OptimismMintableERC20', 'OptimismMintableERC721', 'WETH9'],
].map((name) => `${BEDROCK}:${name}`);

/** Gathers the signatures of every contract that a devnet has. The first contract's names of arguments are kept. */
export function buildAbi(): AbiTables {
  const functions: Record<string, string> = {};
  const errors: Record<string, string> = {};
  const events: Record<string, string[]> = {};
  const add = (item: AbiItem) => {
    if (item.type === 'function') functions[toFunctionSelector(item)] ??= itemText('function', item);
    else if (item.type === 'error')
      errors[toFunctionSelector({ ...item, type: 'function', outputs: [], stateMutability: 'view' })] ??= itemText(
        'error',
        item,
      );
    else if (item.type === 'event') {
      const topic = toEventSelector(item);
      events[topic] ??= [];
      const texts = events[topic];
      const text = eventText(item);
      if (texts.every((other) => indexedOf(other) !== indexedOf(text))) texts.push(text);
    }
  };
  for (const abi of allAbis()) for (const item of abi) add(item);
  return { functions, errors, events };
}

function allAbis(): readonly Abi[] {
  const onL2 = readManifest().flatMap(({ implementations = [], unproxied = [] }) => [...implementations, ...unproxied]);
  const onL1 = [...l1Proxies('output-oracle'), ...l1Proxies('dispute-games')];
  const names = new Set([...onL2.map(({ artefact: name }) => name), ...onL1.map(({ of }) => of), ...OTHERS]);
  return [...[...names].map((name) => artefact(name).abi), multicall3Abi];
}

function itemText(kind: string, item: AbiItem): string {
  return `${kind} ${formatAbiItem(item, { includeName: true })}`;
}

function eventText({ name, inputs }: AbiEvent): string {
  const words = inputs.map((input) =>
    [formatAbiParams([input]), ...(input.indexed === true ? ['indexed'] : []), input.name ?? ''].join(' ').trim(),
  );
  return `event ${name}(${words.join(', ')})`;
}

function indexedOf(signature: string): number {
  return signature.split(' indexed ').length;
}
