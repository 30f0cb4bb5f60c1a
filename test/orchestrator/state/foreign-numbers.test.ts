import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openPeerStore } from '../../../src/nodes/gossip/peers/peer-store.ts';
import { mustBeResult } from '../../../src/orchestrator/control/answers.ts';
import { parseRequest } from '../../../src/orchestrator/control/requests.ts';
import { lockOwner } from '../../../src/orchestrator/folder/lock.ts';
import { readBlock, readChain } from '../../../src/orchestrator/health/gauge/reading.ts';
import { parseManifest } from '../../../src/orchestrator/snapshots/manifest-schema.ts';
import { readState, STATE_SCHEMA } from '../../../src/orchestrator/state/state.ts';
import { networkEvent } from '../../../src/orchestrator/status/network-event.ts';
import { processMessage } from '../../../src/system/channel/messages.ts';
import { createLogger } from '../../../src/system/program/log.ts';
import { parseClockFile } from '../../../src/system/time/clock.ts';
import { temporaryHome } from '../supervisor/fixture-plan.ts';

const log = createLogger({ level: 'error', format: 'json', color: false, pid: false, write: () => undefined });
const block = { number: 1, hash: '0x1' };
const clock = { at: 1, wall: 1, rate: 1 };
const process = { pid: 7, started: '1', boot: 'b' };
const requests = { validResponses: 1, errorResponses: 0, rejectedPayloads: 0 };
const warp = { from: 1, at: 1, to: 1, complete: true, ms: 1 };

const peers = (peer: object) => ({
  ...{ privateKey: '0'.repeat(64), bans: [], blocked: { peers: [], addresses: [], subnets: [] } },
  ...{ peers: [], ...peer },
});
const state = (changes: object) => ({
  ...{ schema: STATE_SCHEMA, name: 'a', phase: 'ready', supervisor: process, startedAt: 1, stamps: {}, tasks: {} },
  ...{ orphans: [], clock, problems: [], ...changes },
});
const manifest = (changes: object) => ({
  ...{ format: 4, version: '', platform: '', devnet: '', taken: 1, at: 1, spec: '', facts: {}, files: [] },
  ...changes,
});

/** Reads a text as the kind of file or message; false if it is refused. */
type Reader = (text: string) => boolean;

const inFile =
  (read: (path: string) => boolean): Reader =>
  (text) => {
    using folder = temporaryHome();
    const path = join(folder.home, 'file.json');
    writeFileSync(path, text);
    return read(path);
  };
const passes = (check: () => unknown) => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};

const store = inFile((path) => passes(() => openPeerStore(path, new Uint8Array(32), log)));
const stateFile = inFile((path) => readState(path).kind === 'state');
const lock = inFile((path) => lockOwner(path) !== undefined);
const event: Reader = (text) => networkEvent.safeParse(JSON.parse(text)).success;
const request: Reader = (text) => parseRequest(JSON.parse(text)).ok;
const message: Reader = (text) => processMessage(JSON.parse(text)) !== undefined;
const answer =
  (method: Parameters<typeof mustBeResult>[0]): Reader =>
  (text) =>
    passes(() => mustBeResult(method, JSON.parse(text), 'socket'));

/** Each place of a number, in a document that is accepted while the number is 1. */
const PLACES: readonly [string, Reader, (value: unknown) => object][] = [
  ['bans.until of a peer store', store, (until) => peers({ bans: [{ id: 'a', until }] })],
  ...['validResponses', 'errorResponses', 'rejectedPayloads'].map((key): (typeof PLACES)[number] => [
    `${key} of a peer store`,
    store,
    (value) => peers({ peers: [{ id: 'a', addresses: [], requests: { ...requests, [key]: value } }] }),
  ]),
  ['at of an event', event, (at) => ({ kind: 'phase', at, phase: 'ready' })],
  ['time of a head', event, (time) => ({ kind: 'head', at: 1, chain: 'a', node: 'b', ...block, time })],
  [
    'number of a head',
    event,
    (number) => ({ kind: 'head', at: 1, chain: 'a', node: 'b', hash: '0x1', number, time: 1 }),
  ],
  ['since of a stall', event, (since) => ({ kind: 'stall', at: 1, subject: '', what: '', since, because: null })],
  ['pid of a start', event, (pid) => ({ kind: 'started', at: 1, task: 'a', pid })],
  ['at of a clock answer', answer('clock'), (at) => ({ at, rate: 1, isPaused: false })],
  ['rate of a jump answer', answer('jump'), (rate) => ({ at: 1, rate, isPaused: false })],
  ['at of a snapshot answer', answer('snapshot'), (at) => ({ at })],
  ...['from', 'at', 'to', 'ms'].map((key): (typeof PLACES)[number] => [
    `${key} of a warp answer`,
    answer('warp'),
    (value) => ({ ...warp, [key]: value }),
  ]),
  ['to of a warp request', request, (to) => ({ id: 1, method: 'warp', to })],
  ['rate of a jump request', request, (rate) => ({ id: 1, method: 'jump', to: 1, rate })],
  ['at of a snapshot request', request, (at) => ({ id: 1, method: 'snapshot', action: 'revert', folder: 'a', at })],
  ['startedAt of a state', stateFile, (startedAt) => state({ startedAt })],
  ['clock.at of a state', stateFile, (at) => state({ clock: { ...clock, at } })],
  ['supervisor.pid of a state', stateFile, (pid) => state({ supervisor: { ...process, pid } })],
  ['orphans.pid of a state', stateFile, (pid) => state({ orphans: [{ ...process, pid }] })],
  [
    'tasks.process.pid of a state',
    stateFile,
    (pid) => state({ tasks: { a: { phase: 'ready', process: { ...process, pid } } } }),
  ],
  ['pid of a lock', lock, (pid) => ({ ...process, pid })],
  ['to of a move of the clock', message, (to) => ({ id: 1, to })],
  ['at of a clock file', (text) => parseClockFile(text) !== undefined, (at) => ({ ...clock, at })],
  ['rate of a clock file', (text) => parseClockFile(text) !== undefined, (rate) => ({ ...clock, rate })],
  ['at of a manifest', (text) => typeof parseManifest(text) !== 'string', (at) => manifest({ at })],
  [
    'size of a manifest',
    (text) => typeof parseManifest(text) !== 'string',
    (size) => manifest({ files: [{ path: 'data/a', size, crc32: '' }] }),
  ],
];

it.each(PLACES)('%s is refused when it is out of its range', (_, accepts, document) => {
  expect(accepts(JSON.stringify(document(1)))).toBe(true);
  const bad = ['1e300', '-1', '"NaN"', '9007199254740992', '1e999'];
  const accepted = bad.filter((value) => accepts(JSON.stringify(document('@')).replace('"@"', value)));
  expect(accepted).toEqual([]);
});

it('heads of nodes have no time if theirs is past every date', () => {
  const time = (timestamp: unknown) => readBlock('a', { number: '0x1', hash: '0x1', timestamp });
  expect(JSON.stringify(time('0x5'))).toContain('"time":5');
  expect(JSON.stringify(time('0xffffffffffffffff'))).not.toContain('time');
  const head = { number: '0x1', hash: '0x1', timestamp: '0xffffffffffffffff' };
  expect(readChain('a', [head]).chain?.head).toMatchObject({ number: 1, time: 0 });
});
