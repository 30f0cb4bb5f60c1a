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
};
