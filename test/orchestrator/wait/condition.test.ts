import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../src/orchestrator/divergence/refusal.ts';
import { nearest } from '../../../src/orchestrator/spec/text/nearest.ts';
import { blockAt, forkTable } from '../../../src/orchestrator/status/forks.ts';
import type { Heads } from '../../../src/orchestrator/status/heads.ts';
import { worse } from '../../../src/orchestrator/status/status.ts';
import { type Condition, missing, nearestCondition, parseCondition } from '../../../src/orchestrator/wait/condition.ts';
import { fixturePlan, temporaryHome } from '../supervisor/fixture-plan.ts';

const plan = fixturePlan('/home', 'one', [{ port: 1 }, { port: 2 }]);
const bare = plan.network.chains[0]!;
const chain = {
  ...bare,
  blockTime: 2,
  forks: { first: 0, second: 1010 },
  nodes: bare.nodes.map((node, at) => (at === 1 ? { ...node, overrides: { second: 1030 } } : node)),
};
const at = (number: number, time: number): Heads => ({
  unsafe: { number, hash: '0x', time },
  safe: { number: number - 1, hash: '0x', time },
  finalized: null,
});

describe('a condition of wait', () => {
  it.each<[string, Condition | undefined]>([
    ['ready', { kind: 'ready' }],
    ['block:40', { kind: 'unsafe', number: 40 }],
    ['safe:3', { kind: 'safe', number: 3 }],
    ['finalized:1', { kind: 'finalized', number: 1 }],
    ['fork:second', { kind: 'fork', fork: 'second' }],
    ['block:-1', undefined],
    ['block:1e3', undefined],
    ['blocks:1', undefined],
    ['a block:1', undefined],
    ['block:1 ', undefined],
    ['fork:', undefined],
    ['a fork:second', undefined],
    ['fork:second!', undefined],
    ['', undefined],
  ])('is read from %j', (text, condition) => {
    expect(parseCondition(text)).toEqual(condition);
  });

  it.each<[Exclude<Condition, { kind: 'ready' }>, Heads, string | undefined]>([
    [{ kind: 'unsafe', number: 5 }, at(5, 1000), undefined],
    [{ kind: 'unsafe', number: 6 }, at(5, 1000), 'its unsafe block is 5'],
    [{ kind: 'safe', number: 5 }, at(5, 1000), 'its safe block is 4'],
    [{ kind: 'finalized', number: 1 }, at(5, 1000), 'it has no finalized block'],
    [{ kind: 'fork', fork: 'second' }, at(5, 1010), undefined],
    [{ kind: 'fork', fork: 'second' }, at(5, 1009), "its head's time is 1 s before second"],
    [{ kind: 'unsafe', number: 0 }, { unsafe: null, safe: null, finalized: null }, 'it does not answer'],
  ])('holds or says what is missing: %j at %j', (condition, heads, lacks) => {
    expect(missing(condition, chain, chain.nodes[0]!, heads)).toBe(lacks);
  });

  it('never holds for a fork that has no time, and waits for a node that does not answer', () => {
    const silent: Heads = { unsafe: null, safe: null, finalized: null };
    const first = chain.nodes[0]!;
    expect(missing({ kind: 'fork', fork: 'third' }, chain, first, at(5, 1010))).toBe('third never activates on it');
    expect(missing({ kind: 'fork', fork: 'second' }, chain, first, silent)).toBe('it does not answer');
  });

  it.each([
    ['blocks:3', 'block:3'],
    ['saef:3', 'safe:3'],
    ['forks:isthmus', 'fork:isthmus'],
    ['redy', 'ready'],
    ['blocks:x', undefined],
    ['zzzzzz:3', undefined],
    ['', undefined],
  ])('%j is most likely %j', (text, condition) => {
    expect(nearestCondition(text, nearest)).toBe(condition);
  });

  it('a node with its own time is waited for at its own time', () => {
    expect(missing({ kind: 'fork', fork: 'second' }, chain, chain.nodes[1]!, at(5, 1010))).toBe(
      "its head's time is 20 s before second",
    );
  });
});

it('the activation table shows time, block and state on every node', () => {
  const heads = new Map([
    ['main/node-0', at(6, 1012)],
    ['main/node-1', at(6, 1012)],
  ]);
  expect(forkTable(chain, { genesisTime: 1000, now: 1012.5 }, heads)).toEqual([
    {
      chain: 'main',
      bundle: null,
      fork: 'first',
      time: 1000,
      at: '1970-01-01T00:16:40Z',
      secondsToGo: 0,
      block: 0,
      nodes: { 'node-0': 'active', 'node-1': 'active' },
      overrides: {},
    },
    {
      chain: 'main',
      bundle: null,
      fork: 'second',
      time: 1010,
      at: '1970-01-01T00:16:50Z',
      secondsToGo: 0,
      block: 5,
      nodes: { 'node-0': 'active', 'node-1': 'pending' },
      overrides: { 'node-1': 1030 },
    },
  ]);
});

it.each([
  [1000, 0],
  [999, 0],
  [1001, 1],
  [1002, 1],
  [1003, 2],
])('time %i is first reached by block %i', (time, block) => {
  expect(blockAt(time, 1000, 2)).toBe(block);
});

it('a node has the worse one of two phases', () => {
  expect(worse('ready', 'starting')).toBe('starting');
  expect(worse('failed', 'ready')).toBe('failed');
  expect(worse('ready', 'ready')).toBe('ready');
});

it('a refusal is found by the block’s number or hash, in a line that speaks of refusal', () => {
  using folder = temporaryHome();
  const log = join(folder.home, 'cl.log');
  writeFileSync(
    log,
    'imported block number=4\n' +
      'lvl=warn msg="refused payload" status=INVALID number=4 hash=0xabcdef0123456789 reason="extra data"\n' +
      'refused number=5\n',
  );
  const block = { number: 4, hash: '0xABCDEF0123456789' };
  expect(refusalOf([log], block)).toContain('reason="extra data"');
  expect(refusalOf([log], { number: 77, hash: '0xabcdef01ffff' })).toContain('status=INVALID');
  expect(refusalOf([log], { number: 6, hash: '0x99999999' })).toBeUndefined();
  expect(refusalOf([join(folder.home, 'none')], block)).toBeUndefined();
});
