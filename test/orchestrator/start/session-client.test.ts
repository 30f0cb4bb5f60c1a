import { afterAll, expect, it } from 'vitest';
import { Session } from '../../../src/orchestrator/start/session-client.ts';
import type { Event } from '../../../src/orchestrator/state/events.ts';
import { startPiped } from '../../../src/system/process/piped.ts';
import { MESSAGE_PIPES } from '../../../src/system/program/starter-pipes.ts';

/** A supervisor that becomes ready at every order, and then ends if that is an interrupt. */
const PROGRAM = `
const { createReadStream, writeSync } = require('node:fs');
const say = (event) => writeSync(${MESSAGE_PIPES.toStarter}, JSON.stringify(event) + '\\n');
createReadStream('', { fd: ${MESSAGE_PIPES.toProcess} }).on('data', (text) => {
  say({ event: 'phase', phase: 'ready' });
  if (!String(text).includes('interrupt')) return;
  say({ event: 'end', code: 1, killed: [], errors: [] });
  process.exit(1);
});
`;

const started: ReturnType<typeof startPiped>[] = [];
afterAll(() => {
  for (const each of started) each.kill();
});

function session() {
  const supervisor = startPiped([process.execPath, '-e', PROGRAM], {});
  started.push(supervisor);
  const events: Event[] = [];
  const tell = (event: Event) => events.push(event);
  const options = { tell, interrupted: () => undefined, followInput: false, followSignals: false };
  return { supervisor, events, of: new Session(supervisor, options) };
}

it('a start ends as ready when the network is', async () => {
  const { supervisor, of } = session();
  supervisor.send({ kind: 'up' });
  expect(await of.started).toEqual({ kind: 'ready' });
});

it('a start that is interrupted ends with its supervisor, even if the network becomes ready meanwhile', async () => {
  const { events, of } = session();
  of.interrupt();
  expect(await of.started).toMatchObject({ kind: 'ended', code: 1 });
  expect(events.map(({ event }) => event)).toEqual(['phase', 'end']);
});
