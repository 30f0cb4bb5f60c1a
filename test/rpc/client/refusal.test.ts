import { describe, expect, it } from 'vitest';
import { redactUrl, refusedBy, TransportError } from '../../../src/rpc/client/client.ts';

const KEY = 'a1b2c3d4e5f6a7b8c9d0';

describe('a URL in an error', () => {
  it.each([
    ['http://127.0.0.1:8545', 'http://127.0.0.1:8545'],
    ['http://127.0.0.1:8545/', 'http://127.0.0.1:8545'],
    ['wss://rpc.example/ws', 'wss://rpc.example/ws'],
    [`https://rpc.example/v3/${KEY}`, 'https://rpc.example/v3/…'],
    [`https://rpc.example/v3/${KEY.slice(1)}`, `https://rpc.example/v3/${KEY.slice(1)}`],
    [`https://rpc.example/${KEY}/${KEY}/`, 'https://rpc.example/…/…'],
    [`https://user:${KEY}@rpc.example/`, 'https://rpc.example'],
    [`https://rpc.example/?key=${KEY}`, 'https://rpc.example'],
    [`https://rpc.example/#${KEY}`, 'https://rpc.example'],
    ['no address', 'no address'],
  ])('%s is written as %s', (url, shown) => {
    expect(redactUrl(url)).toBe(shown);
    expect(new TransportError(url, 'refused').message).toBe(`${shown}: refused`);
  });
});

describe('an HTTP answer that is no JSON-RPC', () => {
  const URL_OF_NODE = 'http://127.0.0.1:8545';
  const answer = (words: string, date?: string) => refusedBy(URL_OF_NODE, { status: 503, date, words });

  it.each([
    ['busy', 'busy'],
    ['  busy \n', 'busy'],
    ['', 'empty answer'],
    [' \n', 'empty answer'],
    ['x'.repeat(200), 'x'.repeat(200)],
    ['x'.repeat(201), 'x'.repeat(200)],
  ])('gives its first 200 characters as the reason', (words, reason) => {
    const error = answer(words);
    expect(error.message).toBe(`${URL_OF_NODE}: HTTP 503: ${reason}`);
    expect([error.status, error.refusal?.reason]).toEqual([503, reason]);
  });

  it.each([
    ['Thu, 01 Jan 1970 00:00:07 GMT', 7000],
    ['soon', undefined],
    [undefined, undefined],
  ])('gives the clock of the server by its date %s', (date, time) => {
    expect(answer('busy', date).refusal?.serverTime).toBe(time);
  });

  it('has no status when there was no answer', () => {
    expect(new TransportError(URL_OF_NODE, 'reset').status).toBeUndefined();
  });
});
