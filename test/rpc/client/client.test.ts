import { expect, it } from 'vitest';
import { TransportError } from '../../../src/rpc/client/client.ts';

it('a transport error names its URL without credentials, its cause and its refusal', () => {
  const url = 'http://user:secret@node.example/';
  const cause = new Error('reset');
  const refusal = { status: 502, reason: 'bad', serverTime: undefined, localTime: 1 };
  const error = new TransportError(url, 'no answer', { cause, refusal });
  expect([error.name, error.message, error.url]).toEqual(['TransportError', 'http://node.example: no answer', url]);
  expect([error.cause, error.refusal, error.status]).toEqual([cause, refusal, 502]);
  const bare = new TransportError(url, 'no answer');
  expect([bare.cause, bare.refusal, bare.status, 'cause' in bare]).toEqual([undefined, undefined, undefined, false]);
});
