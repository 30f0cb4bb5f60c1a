import type { Inspector } from '../../inspect/inspector.ts';
import { type Layer, layersOf } from '../../inspect/layer.ts';
import { readLeaders } from '../../status/leaders.ts';
import { hashesAt } from './hashes.ts';
import { chainOf, type Find, pageOf } from './places.ts';

/** Finds of one answer. */
const MAX_SHOWN_FINDS = 20;

/** Finds the pages of a number, a hash, an address or a name. `chain`: where a number is looked up. */
export async function find(inspector: Inspector, chain: string, word: string): Promise<readonly Find[]> {
  const layers = layersOf(inspector.plan, {}, await readLeaders(inspector.plan));
  if (/^[\d,]{1,20}$/.test(word)) {
    const number = Number(word.replaceAll(',', ''));
    return [{ text: `block ${number} of ${chain}`, to: pageOf(chain, String(number)) }];
  }
  if (/^0x[0-9a-fA-F]{64}$/.test(word)) {
    const hash = word.toLowerCase();
    return (await hashesAt(layers, [hash])).get(hash) ?? [];
  }
  if (/^0x[0-9a-fA-F]{40}$/.test(word)) return [{ text: word, to: pageOf(chain, 'address', word) }];
  return namesLike(inspector, layers, word.toLowerCase()).slice(0, MAX_SHOWN_FINDS);
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
