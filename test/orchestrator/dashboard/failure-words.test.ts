import { UnknownRpcError } from 'viem';
import { expect, it } from 'vitest';
import { failureWords } from '../../../src/orchestrator/dashboard/failure-words.ts';
import { TransportError } from '../../../src/rpc/client/client.ts';
import { Failure } from '../../../src/system/failure.ts';

it.each<[string, unknown, string]>([
  ['a failure with what to do', new Failure('ended', 'a ended', { hint: 'start it' }), 'a ended\nstart it'],
  ['a failure alone', new Failure('ended', 'a ended'), 'a ended'],
  ['any error', new Error('no'), 'no'],
  [
    'a request of viem without an answer',
    new UnknownRpcError(new TransportError('http://127.0.0.1:1', 'connect ECONNREFUSED')),
    'no answer from http://127.0.0.1:1: connect ECONNREFUSED\nrun `devnet status` to see whether it runs',
  ],
])('the words of the page for %s', (_, error, words) => expect(failureWords(error)).toBe(words));
