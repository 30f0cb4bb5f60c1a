import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { placesOf } from '../../../src/orchestrator/entry/places.ts';
import { startForwarding } from '../../../src/system/net/forward.ts';
import { freePort } from '../../system/free-port.ts';

/** Another address of loopback, as that of the machine which a tunnel runs on. */
const HERE = '127.0.0.2';

it('a tunnel passes connections on to the same port of another host, until it stops', async () => {
  const port = await freePort();
  const server = createServer((_, response) => response.end('ready')).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const tunnel = await startForwarding([{ host: '127.0.0.1', port }], HERE);
  try {
    const answer = await fetch(`http://${HERE}:${port}/`);
    expect(await answer.text()).toBe('ready');
    const open = connect(port, HERE);
    await once(open, 'connect');
    const closed = once(open, 'close');
    await tunnel.stop();
    await closed;
    await expect(fetch(`http://${HERE}:${port}/`)).rejects.toThrow('fetch failed');
  } finally {
    await tunnel.stop();
    server.closeAllConnections();
    server.close();
  }
});

it('a tunnel ends a connection to a host that has no such port, and takes the next one', async () => {
  const port = await freePort();
  const tunnel = await startForwarding([{ host: '127.0.0.1', port }], HERE);
  try {
    for (let count = 0; count < 2; count++) await once(connect(port, HERE), 'close');
  } finally {
    await tunnel.stop();
  }
});

it('a tunnel that finds a port taken leaves no other one open', async () => {
  const [free, taken] = [await freePort(HERE), await freePort(HERE)];
  const server = createServer().listen(taken, HERE);
  await once(server, 'listening');
  const places = [free, taken].map((port) => ({ host: '127.0.0.1', port }));
  await expect(startForwarding(places, HERE)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await expect(fetch(`http://${HERE}:${free}/`)).rejects.toThrow('fetch failed');
  server.close();
});

it.each(['l1', 'l1:0', 'l1:65536', ':8545', 'a b:1', 'http://l1:8545'])('a tunnel refuses the place %s', (word) => {
  expect(placesOf('forward', ['main-sequencer-el:9545'])).toEqual([{ host: 'main-sequencer-el', port: 9545 }]);
  expect(() => placesOf('forward', ['l1:1', word])).toThrow(
    `--forward: expected host:port, found ${JSON.stringify(word)}`,
  );
});
