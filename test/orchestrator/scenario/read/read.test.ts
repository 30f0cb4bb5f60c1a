import { describe, expect, it } from 'vitest';
import { readScenario } from '../../../../src/orchestrator/scenario/read/read.ts';
import { referencesIn, resolveReferences } from '../../../../src/orchestrator/scenario/read/references.ts';
import { scenarioJsonSchema } from '../../../../src/orchestrator/scenario/read/schema.ts';
import { stepPlace } from '../../../../src/orchestrator/scenario/read/step-place.ts';
import { numberOf } from '../../../../src/orchestrator/scenario/scenario.ts';
import type { ReadStep } from '../../../../src/orchestrator/scenario/step.ts';
import { EXIT } from '../../../../src/system/failure.ts';

const read = (text: string) => readScenario({ name: 'a.yaml', text }, 'fallback');
const problemsOf = (text: string) => read(text).problems.map(({ code, path, message }) => [code, path, message]);
const outline = (steps: readonly ReadStep[]): unknown[] =>
  steps.map((step) => [step.kind.name, numberOf(step), step.line, step.as, step.text, ...outline(step.inner)]);

describe('a scenario', () => {
  it('has the name of its file, no seed and a devnet of its own when it gives none', () => {
    const { scenario, problems } = read('steps: [{ wait: ready }]');
    expect(problems).toEqual([]);
    expect(scenario).toMatchObject({ name: 'fallback', seed: undefined, devnet: undefined });
    expect(read('devnet: { seed: 4 }\nsteps: [{ wait: ready }]').scenario?.devnet).toBeUndefined();
    const given = read('name: drill\nseed: 7\ndevnet: fork-drill\nsteps: [{ wait: ready }]').scenario;
    expect(given).toMatchObject({ name: 'drill', seed: 7, devnet: 'fork-drill' });
  });

  it('has its steps with their numbers, lines and texts', () => {
    const text = `steps:
  - wait: block:4
  - repeat:
      times: 2
      steps:
        - exec: { run: "true", as: one }
        - parallel: [{ wait: ready }, { exec: "echo \${one.code}" }]
`;
    const { scenario, problems } = read(text);
    const steps = scenario?.steps ?? [];
    expect(problems).toEqual([]);
    expect(outline(steps)).toEqual([
      ['wait', '1', 2, undefined, 'wait block:4'],
      [
        'repeat',
        '2',
        3,
        undefined,
        'repeat { times: 2, steps: [ { exec: { run: "true", as: one } }, ' +
          '{ parallel: [ { wait: ready }, { exec: "echo ${one.code}" } ] } ] }',
        ['exec', '2.1', 6, 'one', 'exec { run: "true", as: one }'],
        [
          'parallel',
          '2.2',
          7,
          undefined,
          'parallel [ { wait: ready }, { exec: "echo ${one.code}" } ]',
          ['wait', '2.2.1', 7, undefined, 'wait ready'],
          ['exec', '2.2.2', 7, undefined, 'exec "echo ${one.code}"'],
        ],
      ],
    ]);
    expect(steps[1]?.path).toEqual(['steps', 1]);
  });

  it('has texts of one line, cut after 160 characters', () => {
    const [long, exact, over] = [300, 155, 156].map((length) => 'x'.repeat(length));
    const texts = read(`steps: [{ exec: ${long} }, { exec: ${exact} }, { exec: ${over} }, { exec: 'a   b' }]`);
    expect(texts.scenario?.steps.map(({ text }) => text)).toEqual([
      `exec ${'x'.repeat(152)}…`,
      `exec ${exact}`,
      `exec ${'x'.repeat(152)}…`,
      'exec a b',
    ]);
  });

  it('has at most 1000 steps, those within others included', () => {
    const inner = (count: number) => Array.from({ length: count }, () => '{ wait: ready }').join(', ');
    const nested = (count: number) => `steps: [{ repeat: { times: 1, steps: [${inner(count)}] } }]`;
    expect(problemsOf(nested(999))).toEqual([]);
    expect(problemsOf(nested(1002))).toEqual([['too-deep', 'steps.0.repeat.steps.999', 'more than 1000 steps']]);
    expect(problemsOf(`steps: [${inner(1001)}]`)).toEqual([['value', 'steps', 'found a list']]);
    expect(problemsOf(`steps: [${inner(1000)}]`)).toEqual([]);
  });

  it('is not read further when its text or its outer shape cannot be read', () => {
    expect(read('steps: [')).toMatchObject({ scenario: undefined, problems: [{ line: 1 }] });
    expect(read('steps: 5')).toMatchObject({ scenario: undefined, problems: [{ path: 'steps', code: 'type' }] });
    expect(read('steps: [{ wait: ready }]\nseed: -1').problems).toMatchObject([{ path: 'seed' }]);
  });

  it('keeps the steps that can be read beside those that cannot', () => {
    const { scenario, problems } = read(
      'steps: [{ wait: ready }, { wat: 1 }, 5, { pause: 1s, wait: ready }, { pause: 2 }]',
    );
    expect(scenario?.steps.map(({ text }) => text)).toEqual(['wait ready']);
    expect(problems.map(({ code, path, allowed, nearest }) => [code, path, allowed?.slice(0, 60), nearest])).toEqual([
      ['unknown-key', 'steps.1.wat', expect.stringMatching(/^altDa, batcher, call, clock, /), 'wait'],
      ['type', 'steps.2', expect.stringMatching(/^a map with one key: one of altDa, batcher, call/), undefined],
      ['type', 'steps.3', 'a map with one key: a list item for each step', undefined],
      ['type', 'steps.4.pause', expect.anything(), undefined],
    ]);
    expect(problemsOf('steps: [{ repeat: { times: 2, steps: 5 } }]')).toEqual([
      ['type', 'steps.0.repeat.steps', 'found the number 5'],
    ]);
    expect(problemsOf('steps: [{ repeat: { times: 2 } }]')).toHaveLength(1);
    expect(problemsOf('steps: [{ pause: 1s, until: 5 }]')).toEqual([
      ['type', 'steps.0', 'found the keys "pause" and "until" in one step'],
    ]);
    expect(read('steps: [{ pause: 1s, until: 5 }]').problems[0]?.allowed).toMatch(
      /^a map with one key: one of altDa, batcher/,
    );
  });

  it('has at most four levels of steps, and 1000 of them', () => {
    const nested = (levels: number): string =>
      levels === 1 ? '{ wait: ready }' : `{ repeat: { times: 1, steps: [${nested(levels - 1)}] } }`;
    const around = (steps: number) =>
      `steps: [{ repeat: { times: 1, steps: [${'{ wait: ready }, '.repeat(steps)}] } }, { wait: ready }]`;
    expect([problemsOf(`steps: [${nested(4)}]`), problemsOf(around(998))]).toEqual([[], []]);
    expect(read(around(998)).scenario?.steps.map(({ text }) => text.slice(0, 6))).toEqual(['repeat', 'wait r']);
    expect(problemsOf(`steps: [${nested(5)}, ${nested(5)}]`)).toEqual(
      [0, 1].map((at) => [
        'too-deep',
        `steps.${at}${'.repeat.steps.0'.repeat(4)}`,
        'steps nested deeper than 4 levels',
      ]),
    );
    expect(problemsOf(around(999))).toEqual([['too-deep', 'steps.1', 'more than 1000 steps']]);
    expect(problemsOf(around(1000))).toEqual([['too-deep', 'steps.0.repeat.steps.999', 'more than 1000 steps']]);
    const deepest = nested(4).replace('{ wait: ready }', '{ wait: ready }, '.repeat(999));
    expect(problemsOf(`steps: [${deepest}]`)).toEqual([
      ['too-deep', `steps.0${'.repeat.steps.0'.repeat(2)}.repeat.steps.997`, 'more than 1000 steps'],
    ]);
  });

  it('has a second key of a step, and a step without a key, where they stand', () => {
    const placesOf = (text: string) => read(text).problems.map(({ column, width }) => [column, width]);
    expect(placesOf('steps: [{ pause: 1s, until: 5 }]')).toEqual([[22, 5]]);
    expect(problemsOf('steps: [{}]')).toEqual([['type', 'steps.0', 'found no step']]);
    expect(placesOf('steps: [{}]')).toEqual([[9, 2]]);
  });

  it('says which names references may have', () => {
    const problem = (text: string) => {
      const { code, allowed, nearest, path, column } = read(text).problems[0]!;
      expect([path, column]).toEqual([expect.stringMatching(/^steps\.\d\.exec$/), text.indexOf('"${') + 1]);
      return { code, allowed, nearest };
    };
    expect(problem('steps: [{ exec: "${a.b}" }]')).toEqual({
      ...{ code: 'reference', allowed: 'nothing: no earlier step has `as`', nearest: undefined },
    });
    const two = '{ exec: { run: x, as: one } }, { exec: { run: y, as: two } }';
    expect(problem(`steps: [${two}, { exec: "\${tow.code}" }]`)).toEqual({
      ...{ code: 'reference', allowed: '${one.…}, ${two.…}', nearest: 'two' },
    });
    expect(problem(`steps: [${two}, { exec: "\${two.cod}" }]`)).toEqual({
      ...{ code: 'reference', allowed: '${two.code}, ${two.stdout}, ${two.stderr}', nearest: 'code' },
    });
    expect(problem(`steps: [{ wait: ready }, { parallel: [${two}] }, { exec: "\${three.code}" }]`).allowed).toBe(
      '${one.…}, ${two.…}',
    );
  });
});

describe('a reference within parallel steps', () => {
  const exec = (run: string, as: string) => `{ exec: { run: '${run}', as: ${as} } }`;
  const two = `${exec('x', 'one')}, ${exec('y ${one.code}', 'two')}`;
  const messages = (steps: string) => read(`steps: [${steps}]`).problems.map(({ path, message }) => [path, message]);
  const SAME_TIME = '${one.code} refers to a step that runs at the same time';

  it('is not to another of them', () => {
    expect(messages(`{ parallel: [${two}] }`)).toEqual([['steps.0.parallel.1.exec.run', SAME_TIME]]);
    expect(read(`steps: [{ parallel: [${two}] }]`).problems[0]).toMatchObject({
      allowed: 'nothing: no earlier step has `as`',
    });
    expect(messages(`{ parallel: [${exec('x ${two.code}', 'one')}, ${exec('y', 'two')}] }`)).toEqual([
      ['steps.0.parallel.0.exec.run', '${two.code} refers to no earlier step'],
    ]);
  });

  it('is looked for in the steps that can be read', () => {
    const { scenario, problems } = read(`steps: [{ parallel: [${exec('x', 'one')}, { wat: 1 }] }]`);
    expect(problems.map(({ path }) => path)).toEqual(['steps.0.parallel.1.wat']);
    expect(scenario!.steps[0]!.inner.map(({ as }) => as)).toEqual(['one']);
    expect(messages('{ parallel: 5 }').map(([path]) => path)).toEqual(['steps.0.parallel']);
  });

  it('is not to one of an outer list of parallel steps', () => {
    const inner = `{ parallel: [${exec('y ${one.code}', 'two')}] }`;
    expect(messages(`{ parallel: [${exec('x', 'one')}, ${inner}] }`)).toEqual([
      ['steps.0.parallel.1.parallel.0.exec.run', SAME_TIME],
    ]);
    expect(messages(`{ parallel: [${exec('x', 'one')}] }, ${inner}`)).toEqual([]);
  });

  it('is to steps before them, to an earlier one in the same branch, and from later ones to all of them', () => {
    expect(messages(`${exec('x', 'one')}, { parallel: [${exec('y ${one.code}', 'two')}] }`)).toEqual([]);
    expect(messages(`{ parallel: [{ repeat: { times: 2, steps: [${two}] } }] }`)).toEqual([]);
    const both = `{ parallel: [${exec('x', 'one')}, ${exec('y', 'two')}] }`;
    expect(messages(`${both}, { exec: "\${one.code} \${two.code}" }`)).toEqual([]);
    expect(messages(`${both}, { parallel: [${exec('x ${none.code}', 'a')}] }`)).toEqual([
      ['steps.1.parallel.0.exec.run', '${none.code} refers to no earlier step'],
    ]);
  });
});

describe('references in a step', () => {
  it('are found with their paths, those of the steps within it left out', () => {
    const value = { a: ['x', '${p.q} ${r.s.t}'], b: { c: '${u.v}' }, d: 5, steps: [{ e: '${w.x}' }], f: '${HOME}' };
    const found = [
      { path: ['a', 1], text: '${p.q}', name: 'p', key: 'q' },
      { path: ['a', 1], text: '${r.s.t}', name: 'r', key: 's' },
      { path: ['b', 'c'], text: '${u.v}', name: 'u', key: 'v' },
    ];
    expect(referencesIn(value, ['steps'])).toEqual(found);
    expect(referencesIn(value, undefined)).toEqual([
      ...found,
      { path: ['steps', 0, 'e'], text: '${w.x}', name: 'w', key: 'x' },
    ]);
    expect(referencesIn(['${a.b}'], [])).toEqual([]);
  });

  it('become the values of earlier steps', () => {
    const values = new Map([['tx', { block: 7, logs: [{ t: 'x' }], to: null, flag: false, big: { a: 1 } }]]);
    const resolved = (text: string) => resolveReferences(text, values);
    expect(resolved('${tx.block}')).toBe(7);
    expect(resolved('${tx.flag}')).toBe(false);
    expect(resolved('a ${tx.big} ${tx.logs.0.t} ${tx.block}b')).toBe('a {"a":1} x 7b');
    expect(resolved('${tx.block} ')).toBe('7 ');
    expect(resolved(' ${tx.block}')).toBe(' 7');
    expect(resolveReferences([null, true], values)).toEqual([null, true]);
    for (const text of ['${tx.to}', '${tx.none}', '${other.block}'])
      expect(() => resolved(text)).toThrow(expect.objectContaining({ code: 'reference', exit: EXIT.failed }));
  });
});

it.each([
  ['steps.3', 'step 4'],
  ['steps.3.wait.for', 'step 4, wait.for'],
  ['steps.3.repeat.steps.1.wait.for', 'step 4.2, wait.for'],
  ['steps.3.repeat.steps', 'step 4, repeat.steps'],
  ['steps.3.repeat.times', 'step 4, repeat.times'],
  ['steps.3.repeat.times.1', 'step 4, repeat.times.1'],
  ['steps.3.parallel.0.wait', 'step 4.1, wait'],
  ['steps.3.parallel.0.repeat.steps.12.exec', 'step 4.1.13, exec'],
  ['steps.3.repeat.steps.x1', 'step 4, repeat.steps.x1'],
  ['steps.3.repeat.steps.1x', 'step 4, repeat.steps.1x'],
  ['steps.3.send.args.0', 'step 4, send.args.0'],
  ['steps.0.wat.1', 'step 1, wat.1'],
  ['steps', undefined],
  ['steps.x', undefined],
  ['steps.1x.wait', undefined],
  ['steps.x1.wait', undefined],
  ['devnet.0', undefined],
  ['', undefined],
])('the place %s is %s', (path, place) => {
  expect(stepPlace(path)).toBe(place);
});

it('the JSON schema lets editors complete a scenario, its spec and its steps', () => {
  const schema = JSON.parse(JSON.stringify(scenarioJsonSchema()));
  const steps = { type: 'array', minItems: 1, items: { $ref: '#/definitions/step' } };
  expect(schema).toMatchObject({
    title: 'rollup-devnet scenario',
    properties: { name: {}, seed: {}, steps, devnet: { anyOf: [{ type: 'string' }, { type: 'object' }] } },
  });
  const kinds = new Map<string, Record<string, unknown>>(
    schema.definitions.step.oneOf.map((one: { required: string[] }) => [one.required[0], one]),
  );
  expect(kinds.get('parallel')).toMatchObject({
    type: 'object',
    description: expect.stringContaining('at the same time'),
    properties: { parallel: steps },
    additionalProperties: false,
  });
  expect(kinds.get('pause')).toMatchObject({ properties: { pause: { type: 'string' } } });
});
