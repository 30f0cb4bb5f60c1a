import type { Inspector, Json } from '../../inspect/inspector.ts';
import { ask, type Layer, layersOf } from '../../inspect/layer.ts';

/** A place of the page that a word names. */
export interface Find {
  readonly text: string;
  /** Address in the page. */
  readonly to: string;
}

/** Finds of one answer. */
const MAX_SHOWN_FINDS = 20;

/** Finds the pages of a number, a hash, an address or a name. `chain`: where a number is looked up. */
export async function find(inspector: Inspector, chain: string, word: string): Promise<readonly Find[]> {
  const layers = layersOf(inspector.plan, { chain: undefined, node: undefined });
  if (/^[\d,]{1,20}$/.test(word)) {
    const number = Number(word.replaceAll(',', ''));
    return [{ text: `block ${number} of ${chain}`, to: pageOf(chain, String(number)) }];
  }
  if (/^0x[0-9a-fA-F]{64}$/.test(word)) {
    const finds = await Promise.all(layers.map((layer) => hashAt(layer, word.toLowerCase())));
    return finds.flat();
  }
  if (/^0x[0-9a-fA-F]{40}$/.test(word)) return [{ text: word, to: pageOf(chain, 'address', word) }];
  return namesLike(inspector, layers, word.toLowerCase()).slice(0, MAX_SHOWN_FINDS);
}

/** Returns the address of a page in a chain. */
function pageOf(chain: string, ...words: readonly string[]): string {
  return `#/blocks/${[chain, ...words].map(encodeURIComponent).join('/')}`;
}

const chainOf = (layer: Layer): string => (layer.kind === 'l1' ? 'l1' : layer.chain.name);

async function hashAt(layer: Layer, hash: string): Promise<readonly Find[]> {
  const [transaction, block] = await Promise.all([
    ask<Json | null>(layer, 'eth_getTransactionByHash', hash).catch(() => null),
    ask<Json | null>(layer, 'eth_getBlockByHash', hash, false).catch(() => null),
  ]);
  const chain = chainOf(layer);
  return [
    ...(transaction === null ? [] : [{ text: `transaction on ${chain}`, to: pageOf(chain, 'tx', hash) }]),
    ...(block === null ? [] : [{ text: `block of ${chain}`, to: pageOf(chain, hash) }]),
  ];
}

/** Returns the addresses whose name has a text, those with exactly this name first. */
function namesLike(inspector: Inspector, layers: readonly Layer[], word: string): readonly Find[] {
  const finds = layers.flatMap((layer) =>
    [...inspector.names(layer)]
      .filter(([, name]) => name.toLowerCase().includes(word))
      .map(([address, name]) => ({
        isExact: name.toLowerCase() === word,
        find: { text: `${name} on ${chainOf(layer)}`, to: pageOf(chainOf(layer), 'address', address) },
      })),
  );
  return [...finds.filter(({ isExact }) => isExact), ...finds.filter(({ isExact }) => !isExact)].map(
    (each) => each.find,
  );
}
