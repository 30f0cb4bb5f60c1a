import { expect, it } from 'vitest';
import { RPC_CODE, RpcError } from '../../src/rpc/error.ts';

it('an RPC error has its name, code, message and data', () => {
  const error = new RpcError(-32_001, 'no such block', { number: 7 });
  expect(error).toBeInstanceOf(Error);
  expect([error.name, error.code, error.message, error.data]).toEqual([
    'RpcError',
    -32_001,
    'no such block',
    { number: 7 },
  ]);
  expect(new RpcError(0, '').data).toBeUndefined();
});

it('the codes are those of JSON-RPC 2.0 and of EIP-1474', () => {
  expect(RPC_CODE).toEqual({
    ...{ parse: -32_700, invalidRequest: -32_600, methodNotFound: -32_601, invalidParams: -32_602, internal: -32_603 },
    ...{ server: -32_000, limitExceeded: -32_005 },
  });
});
