import * as z from 'zod';
import { keccak256 } from '../../../protocol/hash.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import type { Flavour } from '../flavours/interface/flavour.ts';
import type { NodeContext } from './context.ts';

const PLATFORM = `${process.platform}-${process.arch}/node${process.versions.node}`;

/** Returns the name and version of this client, and what it runs on. */
export function clientVersion({ clientName }: Pick<Flavour, 'clientName'>, version: string): string {
  return `rollup-devnet/${clientName}/v${version}/${PLATFORM}`;
}

/** Namespace `web3` (geth: `web3API`, reth: `Web3Api`). */
export const web3: MethodTable<NodeContext> = {
  web3_clientVersion: method('Name and version of this client', z.tuple([]), ({ flavour, version }) =>
    clientVersion(flavour, version),
  ),
  web3_sha3: method('keccak-256 of data', z.tuple([param.data]), (_, [data]) => keccak256(data)),
};
