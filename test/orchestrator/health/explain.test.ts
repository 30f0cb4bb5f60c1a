import { expect, it } from 'vitest';
import { explain } from '../../../src/orchestrator/health/explain.ts';
import type { Symptom } from '../../../src/orchestrator/health/gauge/symptom.ts';

/** A symptom whose subject is the first word of its id. */
const symptom = (id: string, more: Partial<Symptom> = {}): Symptom => ({
  ...{ id, subject: id.split(' ')[0] ?? '', what: `${id} stands`, since: 5, causes: [] },
  ...more,
});
const silent = () => undefined;

it('the symptoms of a subject are one problem with each text once, the earliest time and the first reason', () => {
  const symptoms = [
    symptom('a x', { what: 'p', since: 5 }),
    symptom('a y', { what: 'q', since: 3, because: 'r' }),
    symptom('a z', { what: 'p', since: 4, because: 's' }),
  ];
  expect(explain(symptoms, silent)).toEqual([{ subject: 'a', what: 'p; q', since: 3, because: 'r' }]);
});

it.each<[says: string | null, symptom: Partial<Symptom>, complaint: string | undefined]>([
  ['certain', { because: 'certain', otherwise: 'likely' }, 'logged'],
  ['logged', { otherwise: 'likely' }, 'logged'],
  ['likely', { otherwise: 'likely' }, undefined],
  [null, {}, undefined],
])('the reason of a root cause is %s for %j and the complaint %s', (says, more, complaint) => {
  const asked: [string, number][] = [];
  const problems = explain([symptom('a'), symptom('a x', { since: 3, ...more })], (subject, since) => {
    asked.push([subject, since]);
    return complaint;
  });
  expect(problems).toEqual([{ subject: 'a', what: 'a stands; a x stands', since: 3, because: says }]);
  expect(asked).toEqual(more.because === undefined ? [['a', 3]] : []);
});

it('root causes come first, then by time, and each other problem names the root of its chain of causes', () => {
  const problems = explain(
    [
      symptom('d', { since: 2, causes: ['absent', 'c x', 'e'] }),
      symptom('c x', { since: 1, causes: ['b'], because: 'unused' }),
      symptom('b', { since: 9, because: 'on request' }),
      symptom('e', { since: 8 }),
    ],
    silent,
  );
  expect(problems.map(({ subject, because }) => [subject, because])).toEqual([
    ['e', null],
    ['b', 'on request'],
    ['c', 'b: b stands'],
    ['d', 'b: b stands'],
  ]);
});

it('a problem with a symptom that nothing else explains is a root cause', () => {
  const problems = explain(
    [symptom('a x', { causes: ['b'] }), symptom('a y', { causes: ['a x'] }), symptom('b')],
    silent,
  );
  expect(problems.map(({ subject, because }) => [subject, because])).toEqual([
    ['b', null],
    ['a', 'b: b stands'],
  ]);
  const alone = explain([symptom('a x', { causes: ['b'] }), symptom('a y', { causes: ['c'] }), symptom('b')], silent);
  expect(alone.map(({ because }) => because)).toEqual([null, null]);
});

it('causes in a circle are followed once', () => {
  const problems = explain([symptom('a', { causes: ['b'] }), symptom('b', { causes: ['a'] })], silent);
  expect(problems.map(({ because }) => because)).toEqual(['b: b stands', 'a: a stands']);
});
