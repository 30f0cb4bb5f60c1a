import type { EquivalentMutant } from './equivalent.ts';

const LENGTHS = 'words whose lengths differ by the limit have at least so many edits: the check saves time';

/** Equivalent mutants of `src/orchestrator/spec`. */
export const SPEC: Readonly<Record<string, readonly EquivalentMutant[]>> = {
  'src/orchestrator/spec/checks/faults.ts': [
    ...["if (keys.has(place.join('.'))) return;", "keys.add(place.join('.'));"].map((line) => ({
      line,
      change: `'.' ⇒ ""`,
      reason: 'the one place that several processes share has one key',
    })),
  ],
  'src/orchestrator/spec/resolve/topology.ts': [
    ...[
      { line: 'links.get(a)?.add(b);', change: 'links.get(a)?.add ⇒ links.get(a).add' },
      { line: 'links.get(b)?.add(a);', change: 'links.get(b)?.add ⇒ links.get(b).add' },
      {
        line: 'const isShort = (name: string) => (links.get(name)?.size ?? 0) < degree;',
        change: 'links.get(name)?.size ⇒ links.get(name).size',
      },
    ].map((each) => ({ ...each, reason: 'each node has its set of links' })),
    ...["!topology.startsWith('random:') ⇒ false", `'random:' ⇒ ""`].map((change) => ({
      line: "if (!topology.startsWith('random:')) return links;",
      change,
      reason: 'without a number no node lacks a connection',
    })),
    {
      line: 'return keyed.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, list]) => list);',
      change: 'a < b ⇒ a <= b',
      reason: 'no two hashes are the same',
    },
  ],
  'src/orchestrator/spec/schema/chain.ts': [
    {
      line: 'const yes = z.codec(z.literal(true), conductor, { decode: () => ({}), encode: () => true as const });',
      change: '() => true as const ⇒ () => undefined',
      reason: 'a conductor is written as a map, by a branch of the union before this one',
    },
  ],
  'src/orchestrator/spec/schema/process.ts': [
    ...[
      'z.codec(client, type, { decode: fromClient, encode: () => z.NEVER }),',
      'z.codec(z.null(), type, { decode: () => fromClient(), encode: () => z.NEVER }),',
    ].map((line) => ({
      line,
      change: '() => z.NEVER ⇒ () => undefined',
      reason: 'neither is a name or null, so that the process is written by the branch without a short form',
    })),
  ],
  'src/orchestrator/spec/text/issues.ts': [
    ...["typeof part === 'symbol' ⇒ false", `'symbol' ⇒ ""`].map((change) => ({
      line: "const path = [...prefix, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))];",
      change,
      reason: 'no key of a document is a symbol',
    })),
  ],
  'src/orchestrator/spec/text/limits.ts': [
    {
      line:
        'source.text.length > DOCUMENT_LIMITS.bytes ' +
        '? source.text.length : new TextEncoder().encode(source.text).length;',
      change: 'source.text.length > DOCUMENT_LIMITS.bytes ⇒ false',
      reason: 'a text of more units has more bytes, too, which take longer to count',
    },
    ...[
      '/^[ \\t]*(?:[-?:][ \\t]+)*/.exec(line)?.[0] ⇒ /^[ \\t]*(?:[-?:][ \\t]+)*/.exec(line)[0]',
      '/^[ \\t]*(?:[-?:][ \\t]+)*/ ⇒ /[ \\t]*(?:[-?:][ \\t]+)*/',
      `'' ⇒ "Stryker was here!"`,
    ].map((change) => ({
      line: "const lead = /^[ \\t]*(?:[-?:][ \\t]+)*/.exec(line)?.[0] ?? '';",
      change,
      reason: 'the expression matches at the beginning of every line, if only nothing',
    })),
    {
      line: "let before = '';",
      change: `'' ⇒ "Stryker was here!"`,
      reason: 'a space before a quote or a hash counts as the beginning of the line does',
    },
    {
      line: 'for (let index = lead.length; index < line.length; index++) {',
      change: 'index < line.length ⇒ index <= line.length',
      reason: 'no letter stands behind the end',
    },
  ],
  'src/orchestrator/spec/text/nearest.ts': [
    ...['false', 'Math.abs(a.length - b.length) > limit'].map((becomes) => ({
      line: 'if (Math.abs(a.length - b.length) >= limit) return limit;',
      change: `Math.abs(a.length - b.length) >= limit ⇒ ${becomes}`,
      reason: LENGTHS,
    })),
    {
      line: 'let before: number[] = [];',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'the first row has no letter before it with which one could be swapped',
    },
  ],
  'src/orchestrator/spec/text/source.ts': [
    ...['true', 'stop <= at'].map((becomes) => ({
      line: "for (let stop = text.indexOf('\\n'); stop !== -1 && stop < at; stop = text.indexOf('\\n', stop + 1))",
      change: `stop < at ⇒ ${becomes}`,
      reason: 'a line that begins after the offset changes no position before it',
    })),
  ],
  'src/orchestrator/spec/text/yaml.ts': [
    {
      line: "logLevel: 'error',",
      change: `'error' ⇒ ""`,
      reason: 'the parser tells the levels silent, warn and debug from all others',
    },
    { line: "schema: 'core',", change: `'core' ⇒ ""`, reason: 'a schema without a name is that of core' },
    ...[
      'if (anchor !== undefined) this.#anchors.delete(anchor);',
      'if (anchor !== undefined && !this.#anchors.has(anchor))',
    ].map((line) => ({
      line,
      change: 'anchor !== undefined ⇒ true',
      reason: 'an alias has a name: none looks for an anchor without one',
    })),
  ],
  'src/orchestrator/spec/text/removal.ts': [
    {
      line: "const earlier = typeof index === 'number' ? this.#removals.get(JSON.stringify(place)) : undefined;",
      change: "typeof index === 'number' ⇒ true",
      reason: 'a map has no removed items, and a list no keys',
    },
    {
      line: "for (const each of earlier ?? []) if (typeof index === 'number' && each <= index) index++;",
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'no number is at least a text',
    },
    {
      line: "for (const each of earlier ?? []) if (typeof index === 'number' && each <= index) index++;",
      change: "typeof index === 'number' ⇒ true",
      reason: 'earlier removals are known of an index alone',
    },
    {
      line: "if (typeof index !== 'number') return;",
      change: "typeof index !== 'number' ⇒ false",
      reason: 'what is noted at the place of a map is asked for by no index',
    },
    {
      line: "if (typeof left === 'number' && typeof right === 'number') return right - left;",
      change:
        "typeof left === 'number' && typeof right === 'number' ⇒ typeof left === 'number' || typeof right " +
        "=== 'number'",
      reason: 'two paths part in one value: in a list with numbers, in a map with keys',
    },
    {
      line: "if (typeof left === 'number' && typeof right === 'number') return right - left;",
      change: "typeof left === 'number' ⇒ true",
      reason: 'two paths part in one value: in a list with numbers, in a map with keys',
    },
    {
      line: "if (typeof left === 'number' && typeof right === 'number') return right - left;",
      change: "typeof right === 'number' ⇒ true",
      reason: 'two paths part in one value: in a list with numbers, in a map with keys',
    },
    {
      line: 'return String(left) < String(right) ? -1 : 1;',
      change: 'String(left) < String(right) ⇒ String(left) <= String(right)',
      reason: 'the parts of two paths that part there differ',
    },
    {
      line: 'return String(left) < String(right) ? -1 : 1;',
      change: 'String(left) < String(right) ⇒ String(left) >= String(right)',
      reason: 'keys may go in any order',
    },
  ],
};
