import { expect, it } from 'vitest';
import { readDocument } from '../../../src/orchestrator/faults/read-document.ts';
import { Failure } from '../../../src/system/failure.ts';
import { quickPlanOf } from '../plan/planned.ts';
import { three } from './network.ts';

const read = (text: string) => readDocument({ name: 'faults.yaml', text }, three);

/** Returns the problems of a document as `line:column path: message`. */
function problemsOf(text: string): readonly string[] {
  try {
    read(text);
    return [];
  } catch (error) {
    const { problems } = (error instanceof Failure ? error.data : {}) as {
      problems: { line: number; column: number; path: string; message: string }[];
    };
    return problems.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`);
  }
}

it('a document is read from YAML and JSON', () => {
  const document = { partitions: [], shaping: [{ target: 'a-b', delay: 1500, id: 'slow' }], rpc: [], pool: [] };
  expect(read('shaping:\n  - { id: slow, target: a-b, delay: 1.5s }\n')).toEqual(document);
  expect(read(JSON.stringify(document))).toEqual(document);
  expect(read('partitions: [{ groups: [[a], [b, late-one]] }]')).toEqual({
    ...document,
    shaping: [],
    partitions: [{ groups: [['a'], ['b', 'late-one']] }],
  });
  const pool = [{ action: 'hold', of: 'batcher', epochs: 1 }];
  expect(read(JSON.stringify({ pool }))).toEqual({ ...document, shaping: [], pool });
});

it('a document for a network without links has faults of the pool alone', () => {
  const plain = quickPlanOf('name: plain');
  const source = (text: string) => ({ name: 'faults.yaml', text });
  expect(readDocument(source('pool: [{ action: drop, of: batcher }]'), plain).pool).toHaveLength(1);
  expect(() => readDocument(source('shaping: [{ target: l1, cut: true }]'), plain)).toThrow('without links');
});

it.each([
  ['shapings: []', ['1:1 shapings: unknown key "shapings"']],
  ['shaping:\n  - { target: a-c, cut: true }', ['2:15 shaping.0.target: there is no node "c"; did you mean a?']],
  ['shaping: [{ target: a, loss: 95 }]', ['1:30 shaping.0.loss: found the number 95']],
  ['shaping: [{ target: a, delay: soon }]', ['1:31 shaping.0.delay: found "soon"']],
  ['shaping: [{ target: a }]', ['1:11 shaping.0: found a map']],
  ['shaping: [{ target: a, cut: true, direction: egress }]', ['1:11 shaping.0: found a map']],
  [
    'shaping: [5, { target: a, cut: true }, { target: a-c, cut: true }]',
    ['1:11 shaping.0: found the number 5', '1:50 shaping.2.target: there is no node "c"'],
  ],
  ['partitions: [{ groups: [[a, b, late-one]] }]', ['1:16 partitions.0.groups: found a list']],
  [
    'partitions:\n  - { id: x, groups: [[a], [b]] }\nshaping:\n  - { id: x, target: a, cut: true }',
    [
      '2:14 partitions.0.groups: main/late-one is in no group: expected each node of chain main in one group',
      '4:11 shaping.0.id: two faults have the id x',
    ],
  ],
])('the document %j is refused with positions', (text, problems) => {
  const found = problemsOf(text);
  expect(found).toHaveLength(problems.length);
  for (const [index, problem] of problems.entries()) expect(found[index]).toContain(problem);
});
