import nodeHttp from 'node:http';
import nodeHttps from 'node:https';
import { describe, expect, it } from 'vitest';
import { directAgent, http, https } from '../../src/rpc/http.ts';

describe('the agent of a URL', () => {
  it.each(['http://127.0.0.1:1', 'http://127.9.9.9/', 'http://localhost/', 'http://localhost:8545', 'http://[::1]:1/'])(
    '%s of this machine is one that takes no proxy',
    (url) => {
      expect(directAgent(url)).toBeInstanceOf(nodeHttp.Agent);
      expect(directAgent(url)).toBe(directAgent('http://127.0.0.1'));
      expect(directAgent(url)).toMatchObject({ keepAlive: true });
    },
  );

  it.each([
    'http://localhost.example/',
    'http://example.org/?http://127.0.0.1',
    'http://128.0.0.1/',
    'https://127.0.0.1/',
    'http://[::2]/',
    'x-http://127.0.0.1/',
  ])('%s of another machine, or over TLS, is Node’s own', (url) => {
    expect(directAgent(url)).toBeUndefined();
  });
});

it('the modules are those of Node', () => {
  expect([http().request, https().request]).toEqual([nodeHttp.request, nodeHttps.request]);
});
