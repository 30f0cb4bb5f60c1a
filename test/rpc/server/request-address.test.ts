import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { end, openListener, type RunningServer } from '../../../src/rpc/server/listener.ts';
import { requestAddress } from '../../../src/rpc/server/request-address.ts';
import { raw } from '../raw.ts';

describe('a server of ours', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await openListener(
      { host: '127.0.0.1', port: 0 },
      { request: async (request, response) => end(response, 200, requestAddress(request)!.pathname) },
    );
  });
  afterAll(() => server.close());

  it.each(['http://[', 'http://127.0.0.1:99999/', 'nothing', '*'])('answers 400 to the address %j', async (path) => {
    expect(await raw(server.port, { path })).toMatchObject({ status: 400 });
  });

  it.each(['/', '//', '//a', '/%zz', '/a?b=%'])('takes the path %j', async (path) => {
    expect(await raw(server.port, { path })).toMatchObject({ status: 200, body: path.split('?')[0] });
  });
});

it('a request without an address means the root', () => {
  expect(requestAddress({})?.href).toBe('http://server/');
});
