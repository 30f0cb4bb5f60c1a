import type { EquivalentMutant } from './equivalent.ts';

/** Mutants of `src/orchestrator/health` that behave as the source does. */
export const HEALTH: Readonly<Record<string, readonly EquivalentMutant[]>> = {
  'src/orchestrator/health/explain.ts': [
    {
      line: 'return group.some(({ subject }) => roots.includes(subject)) ? undefined : roots[0];',
      change:
        'group.some(({ subject }) => roots.includes(subject)) ⇒ group.every(({ subject }) => roots.includes(subject))',
      reason: 'all symptoms of a group have one subject',
    },
  ],
  'src/orchestrator/health/gauge/gauge.ts': [
    {
      line: '#positions: string[] = [];',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'no position is this text, and the oldest one is forgotten first',
    },
    {
      line: 'this.#positions = [];',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'no position is this text, and the oldest one is forgotten first',
    },
    {
      line: 'const gap = at.watched - (this.#moved?.watched ?? 0);',
      change: 'this.#moved?.watched ⇒ this.#moved.watched',
      reason: 'an answer that is not the first one has a movement before it',
    },
    ...[
      'this.#moved === undefined || this.#value === undefined',
      'this.#moved === undefined',
      'this.#value === undefined',
    ].map((condition) => ({
      line: 'if (this.#moved === undefined || this.#value === undefined) return undefined;',
      change: `${condition} ⇒ false`,
      reason: 'a gauge without a movement is not overdue, and one with a movement has a value',
    })),
    {
      line: 'if (this.#moved === undefined || this.#value === undefined) return undefined;',
      change:
        'this.#moved === undefined || this.#value === undefined ⇒ ' +
        'this.#moved === undefined && this.#value === undefined',
      reason: 'a gauge without a movement is not overdue, and one with a movement has a value',
    },
  ],
  'src/orchestrator/health/gauge/turn.ts': [
    ...[
      'other !== undefined && this.#other !== undefined ⇒ true',
      'other !== undefined && this.#other !== undefined ⇒ other !== undefined || this.#other !== undefined',
      'other !== undefined ⇒ true',
      'this.#other !== undefined ⇒ true',
    ].map((change) => ({
      line: 'return other !== undefined && this.#other !== undefined && other > this.#other;',
      change,
      reason: 'no number is more than undefined, and undefined is more than none',
    })),
  ],
};
