import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readAttachFile } from '../../../src/orchestrator/attach/read-file.ts';
import { problemsOf } from './problems.ts';

const cwd = mkdtempSync(join(tmpdir(), 'attach-'));

const NODES = `      a: { role: sequencer, el: { http: "http://a:1" }, cl: { rpc: "http://a:2" } }\n`;
const FILE = `name: team\nl1: { rpc: "http://l1:1" }\nchains:\n  main:\n    nodes:\n${NODES}`;

const CONDUCTOR = '    conductor: { rpc: "http://c:1" }\n';
const BEACON = ', beacon: "http://l1:2"';
const WITH_GENESIS = FILE.replace('l1:1"', `l1:1"${BEACON}`).replace('main:', 'main:\n    genesis: g.json');
const JOIN = `${WITH_GENESIS}      mine: { join: { el: execution-go, cl: {} } }\n`;

it('a node that joins has processes as in a spec, and paths are relative to the file', () => {
  writeFileSync(join(cwd, 'team.yaml'), JOIN);
  expect(readAttachFile('/', join(cwd, 'team.yaml')).chains['main']).toMatchObject({
    genesis: join(cwd, 'g.json'),
    joins: { mine: { el: 'execution-go', cl: {} } },
  });
  writeFileSync(join(cwd, 'team.yaml'), JOIN.replace('{ join: { el: execution-go, cl: {} } }', '{ join: }'));
  expect(readAttachFile(cwd, 'team.yaml').chains['main']?.joins).toEqual({ mine: {} });
});

function problemsIn(text: string): string[] {
  writeFileSync(join(cwd, 'team.yaml'), text);
  return problemsOf(() => readAttachFile(cwd, 'team.yaml'));
}

it('a file gives the addresses of L1 and of each node, and everything else may be left out', () => {
  writeFileSync(join(cwd, 'team.yaml'), FILE);
  expect(readAttachFile(cwd, 'team.yaml')).toEqual({
    name: 'team',
    path: join(cwd, 'team.yaml'),
    l1: { rpc: 'http://l1:1', hardfork: 'prague' },
    chains: {
      main: {
        nodes: { a: { role: 'sequencer', el: { http: 'http://a:1' }, cl: { rpc: 'http://a:2' } } },
        joins: {},
        contracts: {},
        accounts: [],
      },
    },
  });
});

it('a file with a conductor has three sequencers or more', () => {
  writeFileSync(join(cwd, 'team.yaml'), `${FILE}${NODES.replace('a:', 'b:')}${NODES.replace('a:', 'c:')}${CONDUCTOR}`);
  expect(readAttachFile(cwd, 'team.yaml').chains['main']?.conductor).toEqual({ rpc: 'http://c:1' });
});

it.each<[string, string, RegExp]>([
  ['an unknown key', FILE.replace('rpc: "http://l1:1"', 'rpc: "http://l1:1", url: x'), /^2:\d+ unknown key "url"/],
  ['an address that is not a URL', FILE.replace('"http://l1:1"', 'l1'), /^2:12 /],
  ['a missing address', FILE.replace('cl: { rpc: "http://a:2" }', 'cl: {}'), /^6:\d+ .*rpc/],
  ['a chain without a sequencer', FILE.replace('role: sequencer, ', ''), /^5:\d+ chain main has 0 sequencers/],
  ['two sequencers with a conductor', `${FILE}${NODES.replace('a:', 'b:')}${CONDUCTOR}`, /main has 2 sequencers/],
  ['two sequencers', `${FILE}${NODES.replace('a:', 'b:')}`, /chain main has 2 sequencers/],
  ['a name that cannot be a folder', FILE.replace('name: team', 'name: ../team'), /^1:7 /],
  ['a node that joins without a genesis', JOIN.replace('genesis: g.json', ''), /^8:\d+ mine joins .* genesis file is/],
  ['a node that joins without a beacon API', JOIN.replace(BEACON, ''), /^8:\d+ mine derives from L1, whose beacon API/],
  ['a node that joins with an unknown key', JOIN.replace('cl: {}', 'clock: {}'), /^8:\d+ unknown key "clock"/],
  [
    'the place of a node that joins',
    JOIN.replace('cl: {}', 'cl: { place: { site: a } }'),
    /^8:\d+ place has no effect: mine runs on this machine/,
  ],
  ['a node with addresses that joins', `${JOIN.trimEnd().slice(0, -1)}, role: verifier }`, /^8:\d+ /],
  ['text that is not YAML', 'name: [', /^\d+:\d+ /],
])('a file with %s is refused at its place', (_, text, expected) => {
  expect(problemsIn(text).join('\n')).toMatch(expected);
});

it('a node whose addresses are all wrong is refused for these alone, and not as one that lacks `join`', () => {
  const text = FILE.replace('{ http: "http://a:1" }', '5').replace('{ rpc: "http://a:2" }', '6');
  expect(problemsIn(text)).toEqual(['6:33 found the number 5', '6:40 found the number 6']);
});

it('the file of the how-to is one that is read', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/how-to/attach.md'), 'utf8');
  writeFileSync(join(cwd, 'team.yaml'), /```yaml\n(.*?)```/s.exec(page)?.[1] ?? '');
  expect(Object.keys(readAttachFile(cwd, 'team.yaml').chains)).toEqual(['main']);
});

it('a file that does not exist is named', () => {
  expect(() => readAttachFile(cwd, 'none.yaml')).toThrow('there is no file none.yaml');
});
