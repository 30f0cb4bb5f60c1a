import { describe, expect, it } from 'vitest';
import { allowedOrigin, hostProblem, isLoopbackAddress, originProblem } from '../../../src/rpc/server/host-origin.ts';

describe('a Host header', () => {
  it.each<[string | undefined, boolean, string | undefined]>([
    [undefined, false, undefined],
    ['localhost:65535', false, undefined],
    ['localhost:655350', false, 'invalid host specified: "localhost:655350" is malformed'],
    ['evil[::1]', false, 'invalid host specified: "evil[::1]" is malformed'],
    [
      'a.example',
      false,
      'invalid host specified: "a.example" is neither loopback (localhost, 127.0.0.1, [::1]) ' +
        'nor allowed by the options',
    ],
    ['10.20.30.40:8545', true, undefined],
    ['evil10.20.30.40', true, expect.stringContaining('neither loopback')],
    ['10.20.30', true, expect.stringContaining('neither loopback')],
  ])('%j of a connection, beyond loopback: %s, has the problem %j', (host, listensBeyond, problem) => {
    expect(hostProblem(host, {}, listensBeyond)).toEqual(problem);
  });
});

describe('the page of a request', () => {
  it.each([
    ['xhttp://localhost', {}],
    ['evil-chrome-extension://abc', {}],
    ['https://app.example.undefined', { corsOrigins: ['https://app.example'] }],
    ['https://app.example', { corsOrigins: ['https://*.example*'] }],
  ])('of origin %s is refused under %j', (origin, policy) => {
    expect(originProblem({ origin }, policy)).toBe(
      `origin not allowed: "${origin}" is neither on loopback nor allowed by the options`,
    );
  });

  it('is named by its referrer, or as another site, when a cross-site request has no Origin', () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect(originProblem(headers, {})).toContain('"another site"');
    expect(originProblem({ ...headers, referer: 'https://evil.example/a?b' }, {})).toContain('"https://evil.example"');
    expect(originProblem({ ...headers, referer: 'https://app.example/a' }, { corsOrigins: ['app.example'] })).toBe(
      undefined,
    );
  });

  it('has an allowed origin of its own, * when all are allowed, and none without an Origin', () => {
    const origin = 'http://localhost:3000';
    expect(allowedOrigin({ origin }, {})).toBe(origin);
    expect(allowedOrigin({ origin }, { corsOrigins: ['app.example'] })).toBe(origin);
    expect(allowedOrigin({ origin }, { corsOrigins: ['*'] })).toBe('*');
    expect(allowedOrigin({}, { corsOrigins: ['*'] })).toBe(undefined);
  });
});

it.each([
  ['::1', true],
  ['127.0.0.1', true],
  ['127.100.200.255', true],
  ['::ffff:127.0.0.1', true],
  ['1127.0.0.1', false],
  ['::fffe:127.0.0.1', false],
  ['127.0.0', false],
  ['128.0.0.1', false],
  ['', false],
])('the address %j is loopback: %s', (address, expected) => {
  expect(isLoopbackAddress(address)).toBe(expected);
});
