import type { Layer } from '../../inspect/layer.ts';

/** A place of the page that a word names. */
export interface Find {
  readonly text: string;
  /** Address in the page. */
  readonly to: string;
}

const address = (view: string, words: readonly string[]) => `#/${[view, ...words].map(encodeURIComponent).join('/')}`;

/** Returns the address of a page in a chain. `words`: a block, or `tx` or `address` and what names it. */
export const pageOf = (chain: string, ...words: readonly string[]): string => address('blocks', [chain, ...words]);

/** Returns the address of a message's page. `id`: the hash on L2 of a deposit, or the hash of a withdrawal. */
export const messagePage = (chain: string, kind: 'deposit' | 'withdrawal', id: string): string =>
  address('bridge', [chain, kind, id]);

/** Returns the name of a layer's chain in an address of the page. */
export const chainOf = (layer: Layer): string => (layer.kind === 'l1' ? 'l1' : layer.chain.name);
