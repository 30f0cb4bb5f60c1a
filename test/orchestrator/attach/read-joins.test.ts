import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readJoinsFile } from '../../../src/orchestrator/attach/read-joins.ts';
import { problemsOf } from './problems.ts';

const cwd = mkdtempSync(join(tmpdir(), 'joins-'));
const NETWORK = { nodes: { main: ['sequencer'], other: [] }, isPublic: (chain: string) => chain === 'main' };

const read = (text: string) => {
  writeFileSync(join(cwd, 'mine.yaml'), text);
  return readJoinsFile(cwd, 'mine.yaml', NETWORK);
};

it('a file of nodes that join gives their processes, with paths relative to it', () => {
  const nodes = 'nodes: { mine: { join: { el: op-reth } }, yours: { join: } }';
  expect(read(`chains:\n  main: { ${nodes} }\n  other: { genesis: g.json, nodes: { a: { join: } } }\n`)).toEqual({
    path: join(cwd, 'mine.yaml'),
    chains: {
      main: { joins: { mine: { el: 'op-reth' }, yours: {} } },
      other: { genesis: join(cwd, 'g.json'), joins: { a: {} } },
    },
  });
  const exported = 'export: { network: net/devnet, secrets: net/secrets.json }';
  expect(read(`${exported}\nchains: { other: { nodes: { a: { join: } } } }\n`).export).toEqual({
    network: join(cwd, 'net', 'devnet'),
    secrets: join(cwd, 'net', 'secrets.json'),
  });
});

it.each<[string, string, string]>([
  ['a chain that the network lacks', 'chains:\n  man: { nodes: { a: { join: } } }', '2:3 the network has no chain man'],
  [
    'the name of another node',
    'chains:\n  main:\n    nodes:\n      sequencer: { join: }',
    '4:7 chain main has a node sequencer',
  ],
  [
    'a chain with secret accounts',
    'chains:\n  other: { nodes: { a: { join: } } }',
    '2:3 the accounts of chain other follow',
  ],
  ['an address', 'chains:\n  main: { nodes: { a: { el: { http: "http://a" } } } }', '2:'],
  ['a place', 'chains:\n  main: { nodes: { a: { join: { el: { place: { a: b } } } } } }', '2:39 place has no effect'],
  ['an L1', 'l1: { rpc: "http://a" }\nchains: {}', '1:1 unknown key "l1"'],
])('a file of nodes that join is refused with %s', (_, text, expected) => {
  expect(problemsOf(() => read(text))[0]).toMatch(new RegExp(`^${expected}`));
});
