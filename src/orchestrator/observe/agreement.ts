/** A block header as a node tells it: JSON-RPC fields as text. */
export type HeaderFields = Readonly<Record<string, unknown>> & { readonly hash: string };

/** One node's view of a chain, for the comparison. */
export interface NodeChain {
  readonly name: string;
  readonly implementation: string;
  /** The one that others are measured by, where it takes part. */
  readonly reference: boolean;
  /** Number of its newest block; undefined where it does not answer. */
  readonly head: number | undefined;
  /** Blocks by number, as far as they were asked for. */
  readonly blocks: ReadonlyMap<number, HeaderFields>;
  /** Why it refused the block after its head, in its own words; where it said so. */
  readonly refusal?: string;
  /** Why it does not answer. */
  readonly unreachable?: string;
}

export interface Divergence {
  readonly chain: string;
  /** The first block at which they part. */
  readonly block: number;
  /** The nodes that left the majority, or the reference where there is none. */
  readonly nodes: readonly string[];
  readonly kind: 'hash' | 'refused' | 'behind';
  /** Header fields that differ. */
  readonly fields: readonly string[];
  readonly reason: string;
}

/** Blocks that a node may lag behind the first one before that is called a divergence: gossip and derivation take their time. */
export const LAG = 20;

/**
 * Compares the nodes of one chain over the blocks given. The first block at which any two have different hashes is named before anything
 * else; then who refused a block that others have; then who has fallen behind or does not answer.
 */
export function compareChain(chain: string, nodes: readonly NodeChain[]): Divergence | null {
  const numbers = [...new Set(nodes.flatMap(({ blocks }) => [...blocks.keys()]))].sort((a, b) => a - b);
  for (const number of numbers) {
    const divergence = compareBlock(chain, number, nodes);
    if (divergence) return divergence;
  }
  return stuck(chain, nodes);
}

function compareBlock(chain: string, number: number, nodes: readonly NodeChain[]): Divergence | null {
  const holders = nodes.flatMap((node) => {
    const header = node.blocks.get(number);
    return header === undefined ? [] : [{ node, header }];
  });
  const groups = Map.groupBy(holders, ({ header }) => header.hash.toLowerCase());
  if (groups.size < 2) return null;
  const [agreed, ...others] = [...groups.values()].sort(
    (a, b) =>
      b.length - a.length ||
      Number(b.some(({ node }) => node.reference)) - Number(a.some(({ node }) => node.reference)),
  );
  const reference = agreed![0]!;
  const parted = others.flat();
  const fields = [...new Set(parted.flatMap(({ header }) => differingFields(reference.header, header)))].sort();
  const first = parted[0]!;
  return {
    chain,
    block: number,
    nodes: parted.map(({ node }) => node.name).sort(),
    kind: 'hash',
    fields,
    reason: fields
      .filter((field) => !ROOTS.has(field) || fields.every((each) => ROOTS.has(each)))
      .slice(0, 4)
      .map(
        (field) =>
          `${field} is ${show(first.header[field])} on ${first.node.name}, ${show(reference.header[field])} on ${reference.node.name}`,
      )
      .join('; '),
  };
}

function stuck(chain: string, nodes: readonly NodeChain[]): Divergence | null {
  const silent = nodes.filter(({ head }) => head === undefined);
  if (silent.length > 0)
    return {
      chain,
      block: 0,
      nodes: silent.map(({ name }) => name).sort(),
      kind: 'behind',
      fields: [],
      reason: silent.map(({ name, unreachable }) => `${name} does not answer: ${unreachable ?? 'unknown'}`).join('; '),
    };
  const highest = Math.max(...nodes.map(({ head }) => head ?? 0));
  const refusing = nodes.filter(({ head, refusal }) => refusal !== undefined && (head ?? 0) < highest);
  const behind = refusing.length > 0 ? refusing : nodes.filter(({ head }) => highest - (head ?? 0) > LAG);
  const [worst] = behind.toSorted((a, b) => (a.head ?? 0) - (b.head ?? 0));
  if (worst === undefined) return null;
  const same = behind.filter(({ head }) => head === worst.head);
  return {
    chain,
    block: (worst.head ?? 0) + 1,
    nodes: same.map(({ name }) => name).sort(),
    kind: worst.refusal === undefined ? 'behind' : 'refused',
    fields: [],
    reason: worst.refusal ?? `${worst.name} is at block ${worst.head}, ${highest - (worst.head ?? 0)} behind the first`,
  };
}

/** Fields that follow from others: named in `fields`, but no explanation while there is a better one. */
const ROOTS: ReadonlySet<string> = new Set(['hash', 'parentHash', 'logsBloom', 'size', 'totalDifficulty']);

/** Names of the header fields in which two blocks differ, `hash` left out: that one always does. */
export function differingFields(a: HeaderFields, b: HeaderFields): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((field) => {
    if (field === 'hash' || IGNORED.has(field)) return false;
    return JSON.stringify(a[field])?.toLowerCase() !== JSON.stringify(b[field])?.toLowerCase();
  });
}

/** Not part of the header, and told by some clients only. */
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
