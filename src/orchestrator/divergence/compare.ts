import { present } from '../../protocol/present.ts';
import { isJsonObject } from '../../rpc/json-object.ts';

/** Block header as a node returns it: JSON-RPC fields as text. */
export type HeaderFields = Readonly<Record<string, unknown>> & { readonly hash: string };

/** Returns whether a parsed JSON value is a block header with a hash. */
export function isHeader(value: unknown): value is HeaderFields {
  return isJsonObject(value) && typeof value['hash'] === 'string';
}

/** What is compared of a node: its blocks, as far as they were requested. */
export interface NodeBlocks {
  readonly name: string;
  /** Whether it is the reference that others are compared with. */
  readonly reference: boolean;
  /** Headers by number; of some the hash alone is known. */
  readonly blocks: ReadonlyMap<number, HeaderFields>;
}

export interface Divergence {
  readonly chain: string;
  /** The first block at which they diverge. */
  readonly block: number;
  /** The nodes in the minority, or those that differ from the reference if there is no majority. */
  readonly nodes: readonly string[];
  readonly kind: 'hash' | 'refused' | 'behind';
  /** Header fields that differ. */
  readonly fields: readonly string[];
  readonly reason: string;
  /** Whether it is behind but its head moves. */
  readonly catchingUp?: true;
}

/**
 * Compares the nodes of one chain over the given blocks.
 * Reports each group of diverging nodes at its first different block; diverged nodes are not compared further.
 */
export function compareBlocks(chain: string, nodes: readonly NodeBlocks[]): Divergence[] {
  const numbers = [...new Set(nodes.flatMap(({ blocks }) => [...blocks.keys()]))].sort((a, b) => a - b);
  const divergences: Divergence[] = [];
  let going = nodes;
  for (const number of numbers) {
    const here = compareBlock(chain, number, going);
    const different = new Set(here.flatMap((divergence) => divergence.nodes));
    if (here.length > 0) going = going.filter(({ name }) => !different.has(name));
    divergences.push(...here);
  }
  return divergences;
}

function compareBlock(chain: string, number: number, nodes: readonly NodeBlocks[]): Divergence[] {
  const holders = nodes.flatMap((node) => {
    const header = node.blocks.get(number);
    return header === undefined ? [] : [{ node, header }];
  });
  const groups = Map.groupBy(holders, ({ header }) => header.hash.toLowerCase());
  if (groups.size < 2) return [];
  const [agreed = [], ...others] = [...groups.values()].sort(
    (a, b) =>
      b.length - a.length ||
      Number(b.some(({ node }) => node.reference)) - Number(a.some(({ node }) => node.reference)),
  );
  const reference = present(agreed[0], 'node of the largest group');
  return others.map((group) => {
    const first = present(group[0], 'node of a group');
    const fields = differingFields(reference.header, first.header).sort();
    return {
      chain,
      block: number,
      nodes: group.map(({ node }) => node.name).sort(),
      kind: 'hash',
      fields,
      reason: fields
        .filter((field) => !ROOTS.has(field) || fields.every((each) => ROOTS.has(each)))
        .slice(0, 4)
        .map(
          (field) =>
            `${field} is ${show(first.header[field])} on ${chain}/${first.node.name}, ` +
            `${show(reference.header[field])} on ${chain}/${reference.node.name}`,
        )
        .join('; '),
    };
  });
}

/**
 * Fields that follow from others. They are listed in `fields`, but explain a divergence only if no other field
 * differs.
 */
const ROOTS: ReadonlySet<string> = new Set(['hash', 'parentHash', 'logsBloom', 'size', 'totalDifficulty']);

/** Names the header fields in which two blocks differ, without `hash`, which always does. */
export function differingFields(a: HeaderFields, b: HeaderFields): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((field) => {
    if (field === 'hash' || IGNORED.has(field)) return false;
    return JSON.stringify(a[field])?.toLowerCase() !== JSON.stringify(b[field])?.toLowerCase();
  });
}

/** Fields that are not part of the header and that only some clients return. */
const IGNORED: ReadonlySet<string> = new Set([
  'size',
  'totalDifficulty',
  'uncles',
  'transactions',
  'withdrawals',
  'requests',
]);

function show(value: unknown): string {
  const text = value === undefined ? 'absent' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 24 ? `${text.slice(0, 12)}…${text.slice(-6)}` : text;
}
