import { expect, it } from 'vitest';
import type { NetworkEvent } from '../../../src/orchestrator/state/network-event-type.ts';
import { eventLines } from '../../../src/orchestrator/status/event-line.ts';

const at = 1_700_000_009_000;
const place = { chain: 'main', node: 'verifier' };
const hash = '0x0123456789abcdef';
const divergence: NetworkEvent = {
  ...{ kind: 'divergence', at, chain: 'main', block: 4, nodes: ['verifier'], how: 'hash' },
  ...{ fields: ['stateRoot'], reason: '', since: at },
};

it.each<[event: NetworkEvent, ...lines: string[]]>([
  [{ kind: 'head', at, ...place, number: 4, hash, time: 7 }, 'head        main/verifier  block 4  0x01234567…'],
  [
    { kind: 'fork', at, ...place, fork: 'isthmus', block: 4, time: 1_700_000_000 },
    'fork        main/verifier  isthmus is active from block 4  (2023-11-14T22:13:20Z)',
  ],
  [
    { kind: 'reorg', at, ...place, from: { number: 5, hash }, to: { number: 4, hash: '0xabcdef0123456789' } },
    'reorg       main/verifier  from block 5 (0x01234567…) to block 4 (0xabcdef01…)',
  ],
  [{ kind: 'stall', at, subject: 'l1', what: 'stands', since: at, because: null }, 'stall       l1: stands'],
  [
    { kind: 'stall', at, subject: 'l1', what: 'stands', since: at, because: 'on request' },
    'stall       l1: stands (on request)',
  ],
  [
    { kind: 'recovery', at, subject: 'l1', what: 'stands', since: at - 65_000 },
    'recovery    l1: over after 1 min 5 s: stands',
  ],
  [divergence, 'divergence  main/verifier has a different block 4'],
  [
    { ...divergence, nodes: ['a', 'b'], reason: 'other state roots' },
    'divergence  main/a, main/b have a different block 4',
    '            other state roots',
  ],
  [{ ...divergence, how: 'refused' }, 'divergence  main/verifier diverged from the others: block 4 was refused'],
  [
    { kind: 'explanation', at, chain: 'main', block: 4, nodes: ['a', 'b'], path: '/report', lines: ['one', 'two'] },
    'explanation main/a, main/b, block 4: /report',
    '            one',
    '            two',
  ],
  [
    { kind: 'agreement', at, chain: 'main', block: 4, nodes: ['a'] },
    'agreement   main/a: agrees with the others at block 4',
  ],
  [{ kind: 'started', at, task: 'l1', pid: 7 }, 'started     l1  process 7'],
  [{ kind: 'started', at, task: 'l1', pid: null }, 'started     l1'],
  [{ kind: 'ended', at, task: 'l1', what: 'ended with code 1' }, 'ended       l1: ended with code 1'],
  [{ kind: 'fault', at, id: '1', what: 'a delay', state: 'added' }, 'fault       1 added: a delay'],
  [{ kind: 'phase', at, phase: 'ready' }, 'phase       ready'],
])('an event has its kind, place and words: %j', (event, ...lines) => {
  expect(eventLines(event)).toEqual(lines);
});
