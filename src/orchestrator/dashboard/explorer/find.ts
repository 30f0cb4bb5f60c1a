import type { Inspector } from '../../inspect/inspector.ts';
import { type Layer, layersOf } from '../../inspect/layer.ts';
import { readLeaders } from '../../status/leaders.ts';
import { messagesNamed } from './bridge.ts';
import { hashesAt } from './hashes.ts';
import { chainOf, type Find, messagePage, pageOf } from './places.ts';
import type { TransactionIndex } from './transaction-index.ts';

/** Finds of one answer. */
const MAX_SHOWN_FINDS = 20;
/** Addresses of a layer whose code is read for a search, and at a time. */
const [MAX_IDENTIFIED, STEP] = [500, 50];

/** Where a word is looked up: numbers on a chain, and contracts of the user among what its transactions called. */
export interface FindPlace {
  readonly chain: string;
  readonly index: Pick<TransactionIndex, 'receivers'>;
}

/** Finds the pages of a number, a hash, an address or a name. */
export async function find(inspector: Inspector, { chain, index }: FindPlace, word: string): Promise<readonly Find[]> {
  const layers = layersOf(inspector.plan, {}, await readLeaders(inspector.plan));
  if (/^[\d,]{1,20}$/.test(word)) {
    const number = Number(word.replaceAll(',', ''));
    return [{ text: `block ${number} of ${chain}`, to: pageOf(chain, String(number)) }];
  }
  if (/^0x[0-9a-fA-F]{64}$/.test(word)) {
    const hash = word.toLowerCase();
    const [places, messages] = await Promise.all([hashesAt(layers, [hash]), messagesOf(inspector, layers, hash)]);
    return [...(places.get(hash) ?? []), ...messages];
  }
  if (/^0x[0-9a-fA-F]{40}$/.test(word)) return [{ text: word, to: pageOf(chain, 'address', word) }];
  await identifyAll(inspector, layers, index);
  return namesLike(inspector, layers, word.toLowerCase()).slice(0, MAX_SHOWN_FINDS);
}

/** Returns the deposit or the withdrawal that a hash names. */
async function messagesOf({ plan }: Inspector, layers: readonly Layer[], hash: string): Promise<readonly Find[]> {
  const rollups = layers.filter((layer) => layer.kind === 'l2');
  const rows = await Promise.all(
    // A layer that does not answer has none.
    rollups.map((layer) => messagesNamed(plan, layer, hash).catch(() => [])),
  );
  return rows.flat().map(({ kind, chain, id }) => {
    return { text: `${kind} ${kind === 'deposit' ? 'to' : 'from'} ${chain}`, to: messagePage(chain, kind, id) };
  });
}

/** Names the contracts of the user's ABI folder that transactions created or called, on each layer that answers. */
async function identifyAll(inspector: Inspector, layers: readonly Layer[], index: FindPlace['index']): Promise<void> {
  if (inspector.plan.abi === undefined) return;
  const ofLayers = layers.map(async (layer) => {
    const addresses = await index.receivers(layer).catch(() => []);
    for (let at = 0; at < Math.min(addresses.length, MAX_IDENTIFIED); at += STEP)
      await inspector.identify(layer, addresses.slice(at, at + STEP));
  });
  await Promise.all(ofLayers);
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
