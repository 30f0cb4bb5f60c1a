import * as z from 'zod';
import { keccak256 } from '../../../protocol/hash.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import type { NodeContext } from './context.ts';

/** Namespace `web3` (geth: `web3API`, reth: `Web3Api`). */
export const web3: MethodTable<NodeContext> = {
  web3_clientVersion: method('Name and version of this client', z.tuple([]), ({ flavour, version }) =>
    flavour.clientVersion(version),
  ),
  web3_sha3: method('keccak-256 of data', z.tuple([param.data]), (_, [data]) => keccak256(data)),
};
