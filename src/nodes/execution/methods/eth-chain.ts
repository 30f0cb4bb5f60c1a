import * as z from 'zod';
import { joinBlobTransaction } from '../../../protocol/codec/blobs/sidecar.ts';
import { bytesToHex, hexToBytes, lowerHex, quantity } from '../../../protocol/hex.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import { findTransaction } from '../chain/find-transaction.ts';
import { pendingView, rawTransaction, transactionView } from '../views/transaction.ts';
import type { NodeContext } from './context.ts';
import { stateAt, tag } from './eth-state.ts';

/** Methods that read the chain, the pool and the sync status (geth: `EthereumAPI`, `TransactionAPI`). */
export const ethChain: MethodTable<NodeContext> = {
  eth_blockNumber: method('Number of the newest block', z.tuple([]), ({ chain }) => quantity(chain.head.header.number)),
  eth_chainId: method('Chain id', z.tuple([]), ({ chain }) => quantity(chain.chainId)),
  eth_syncing: method('Sync state, in the flavour’s shape', z.tuple([]), ({ flavour, chain, engine }) =>
    flavour.syncing(chain.head.header.number, engine.progress),
  ),
  eth_accounts: method('Accounts of this node: none', z.tuple([]), () => []),
  eth_getTransactionByHash: method('Transaction, also of the pool', z.tuple([param.hash]), (context, [hash]) => {
    const location = findTransaction(context.chain, hash);
    if (location !== undefined) return transactionView(location.block, location.position, context.flavour.views);
    const pooled = context.pool.get(lowerHex(hash));
    return pooled === undefined ? null : pendingView(pooled);
  }),
  eth_getRawTransactionByHash: method(
    'EIP-2718 encoding of a transaction, also of the pool',
    z.tuple([param.hash]),
    (context, [hash]) => {
      const location = findTransaction(context.chain, hash);
      if (location !== undefined) return rawTransaction(location.block, location.position);
      const pooled = context.pool.get(lowerHex(hash));
      if (pooled === undefined) return null;
      const { raw } = pooled;
      const sidecar = context.pool.sidecars.get(pooled.hash);
      return bytesToHex(sidecar === undefined ? raw : joinBlobTransaction({ raw, sidecar }));
    },
  ),
  eth_getTransactionCount: method(
    'Nonce; with pending: after the pooled transactions',
    z.tuple([param.address, tag]),
    (context, [address, at]) => {
      if (at === 'pending') return quantity(context.pool.pendingNonce(hexToBytes(address)));
      return quantity(stateAt(context, at).account(hexToBytes(address))?.nonce ?? 0n);
    },
  ),
};
