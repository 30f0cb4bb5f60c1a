import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import type { GatewayCall, GatewayMethods } from '../../../rpc/gateway/methods.ts';
import { isJsonObject, type JsonObject } from '../../../rpc/json-object.ts';
import { createMutex } from '../../../system/time/mutex.ts';
import type { Account } from '../../txmgr/account.ts';
import type { L1Keys } from './l1-keys.ts';
import { signRequest } from './sign-request.ts';

/** Creates the methods of the funded accounts, for an L1 that holds no keys. The gate signs for them. */
export function accountMethods(keys: L1Keys): GatewayMethods {
  // Two transactions of one sender that come at once get two nonces.
  const runExclusive = createMutex();
  return {
    eth_accounts: () => keys.accounts.map(({ address }) => address),
    eth_sendTransaction: ({ params: [request], pass }: GatewayCall) =>
      runExclusive(async () => {
        const { account, fields } = senderOf(keys, request);
        return pass('eth_sendRawTransaction', [await signRequest(account, fields, pass)]);
      }),
  };
}

/** Finds the account that signs a request. @throws RpcError without its key */
export function senderOf(keys: L1Keys, request: unknown): { readonly account: Account; readonly fields: JsonObject } {
  if (!isJsonObject(request) || typeof request['from'] !== 'string')
    throw new RpcError(RPC_CODE.invalidParams, 'eth_sendTransaction: expected a transaction with `from`');
  const { from } = request;
  const account = keys.accounts.find(({ address }) => address === from.toLowerCase());
  if (account !== undefined) return { account, fields: request };
  throw new RpcError(
    RPC_CODE.invalidParams,
    `eth_sendTransaction: the gate signs for the accounts of eth_accounts alone, not for ${from}; sign with its key ` +
      'and use eth_sendRawTransaction, or impersonate it with `l1: { client: anvil }` in the spec',
  );
}
