import { describe, expect, it } from 'vitest';
import { TransportError } from '../../../src/rpc/client/client.ts';
import { readOutcome } from '../../../src/rpc/client/outcome.ts';
import { RpcError } from '../../../src/rpc/error.ts';

const URL_OF_NODE = 'http://127.0.0.1:8545';

describe('a response of JSON-RPC', () => {
  it.each([
    [{ result: 7 }, 7],
    [{ result: null }, null],
    [{ result: 'a', error: null }, 'a'],
    [{ result: 'a', error: undefined }, 'a'],
  ])('%j is a result', (answer, result) => {
    expect(readOutcome(URL_OF_NODE, answer)).toEqual({ ok: true, result });
  });

  it.each([
    [{ error: { code: -32_000, message: 'no', data: '0x01' } }, -32_000, 'no', '0x01'],
    [{ error: { code: 3, message: 'no' }, result: 1 }, 3, 'no', undefined],
    [{ error: {} }, 0, 'unknown error', undefined],
    [{ error: 'broken' }, 0, 'unknown error', undefined],
  ])('%j is an error of the server', (answer, code, message, data) => {
    const outcome = readOutcome(URL_OF_NODE, answer);
    if (outcome.ok) expect.unreachable();
    expect(outcome.error).toBeInstanceOf(RpcError);
    expect(outcome.error).toMatchObject({ code, message, data });
  });

  it.each([
    [undefined, 'the answer is not a JSON-RPC response'],
    [null, 'the answer is not a JSON-RPC response'],
    ['text', 'the answer is not a JSON-RPC response'],
    [{}, 'the answer has neither result nor error'],
    [{ id: 1, error: null }, 'the answer has neither result nor error'],
  ])('%j is none', (answer, message) => {
    const outcome = readOutcome(URL_OF_NODE, answer);
    if (outcome.ok) expect.unreachable();
    expect(outcome.error).toBeInstanceOf(TransportError);
    expect(outcome.error.message).toBe(`${URL_OF_NODE}: ${message}`);
  });
});
