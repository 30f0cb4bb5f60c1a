import { quantity } from '../../../../protocol/hex.ts';
import type { RpcClient } from '../../../../rpc/client/client.ts';
import { RpcError } from '../../../../rpc/error.ts';
import type { L1Keys } from '../../accounts/l1-keys.ts';
import { signFields } from '../../accounts/sign-request.ts';
import type { PoolEdits } from '../pool/pool-faults.ts';

/** Method of the client that takes a transaction out of its pool. */
export const DROP = 'testing_dropTransaction';

/** Edits the pool of an execution client. A replacement is signed with the sender's key, if that is known. */
export function enginePoolEdits(rpc: RpcClient, keys: L1Keys): PoolEdits {
  const keyOf = (from: string) => {
    const account = keys.find(from);
    if (account !== undefined) return account;
    throw new Error(`no transaction of ${from} can be replaced: its key is not known; use \`client: anvil\` for L1`);
  };
  return {
    drop: DROP,
    async send(from, fields) {
      const account = keyOf(from);
      const chainId = quantity(Number(await rpc.call('eth_chainId')));
      const raw = signFields(account, { ...fields, type: '0x2', chainId, input: '0x' });
      await rpc.call('eth_sendRawTransaction', [raw]).catch((error: unknown) => {
        // The sender has used the nonce meanwhile.
        if (!(error instanceof RpcError)) throw error;
      });
    },
    checkReplaceable: keyOf,
  };
}
