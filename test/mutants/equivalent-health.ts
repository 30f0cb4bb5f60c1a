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
  'src/orchestrator/health/model.ts': [
    {
      line:
        'this.#subjects = new Map(facts.sources.map(({ task }) => ' +
        '[task, new Subject(task, facts.taskCauses[task] ?? [])]));',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'a source is a task of the plan, and each of these has its causes',
    },
    {
      line: "const { address = '' } = this.#facts.posters.find((each) => each.task === poster) ?? {};",
      change: '\'\' ⇒ "Stryker was here!"',
      reason: 'balances are read for the posters of the facts, which have addresses',
    },
    {
      line: 'if (this.#dependencies.get(id)?.has(task) !== true) continue;',
      change: 'this.#dependencies.get(id)?.has ⇒ this.#dependencies.get(id).has',
      reason: 'each gauge has its dependencies',
    },
    {
      line: 'return { ...symptom, causes, ...(because === undefined ? {} : { because }) };',
      change: 'because === undefined ⇒ false',
      reason: 'a reason that is undefined is read as none',
    },
    {
      line: 'const leaders = lag.spec.leaders.flatMap((id) => this.#gauges.get(id) ?? []);',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'a text has no value, and what has none does not lead',
    },
    {
      line: 'const late = lag.late(watched, this.#gauges.get(lag.spec.pace)?.interval ?? 0);',
      change: 'this.#gauges.get(lag.spec.pace)?.interval ⇒ this.#gauges.get(lag.spec.pace).interval',
      reason: 'a head that follows others has a gauge, and its pace is one of the same node',
    },
    {
      line: 'if (gauge === undefined || late === undefined) return [];',
      change: 'gauge === undefined ⇒ false',
      reason: 'a head that follows others has a gauge',
    },
  ],
  'src/orchestrator/health/watch.ts': [
    ...['{ once: true } ⇒ {}', 'true ⇒ false'].map((change) => ({
      line: "io.signal.addEventListener('abort', () => clearTimeout(this.#timer), { once: true });",
      change,
      reason: 'a signal is aborted once',
    })),
    {
      line: 'if (signal.aborted) return;',
      change: 'signal.aborted ⇒ false',
      reason: 'no round tells what a probe finds after the end of the watch',
    },
  ],
};
