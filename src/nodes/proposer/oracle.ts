import { concat, toNumber, u256be } from '../../protocol/bytes.ts';
import { keccak256Text } from '../../protocol/hash.ts';
import { bytesToHex, hexToBytes, hexToSized } from '../../protocol/hex.ts';
import type { BlockId, Hex } from '../../protocol/types.ts';
import type { RpcClient } from '../../rpc/client.ts';
import { Failure } from '../../system/failure.ts';

/** The L2OutputOracle contract as the proposer uses it. */
export interface Oracle {
  readonly address: Hex;
  /** Number of the L2 block whose output is due next. */
  nextBlockNumber(): Promise<number>;
  /** The only account whose proposals it takes. */
  proposer(): Promise<Hex>;
  /** @throws Failure `no-oracle` where there is no contract at the address */
  check(): Promise<void>;
}

function selector(signature: string): Uint8Array {
  return keccak256Text(signature).subarray(0, 4);
}

/** Calldata of `proposeL2Output`: the L1 block makes the call fail on another fork of L1. */
export function proposalData(outputRoot: Hex, l2BlockNumber: number, l1: BlockId): Uint8Array {
  return concat(
    selector('proposeL2Output(bytes32,uint256,bytes32,uint256)'),
    hexToSized(outputRoot, 32),
    u256be(l2BlockNumber),
    hexToSized(l1.hash, 32),
    u256be(l1.number),
  );
}

export function oracleAt(rpc: RpcClient, address: Hex): Oracle {
  async function read(signature: string): Promise<Uint8Array> {
    const call = { to: address, data: bytesToHex(selector(signature)) };
    return hexToBytes(await rpc.call<Hex>('eth_call', [call, 'latest']));
  }
  return {
    address,
    nextBlockNumber: async () => toNumber(await read('nextBlockNumber()')),
    proposer: async () => bytesToHex((await read('proposer()')).subarray(12)),
    async check() {
      const code = await rpc.call<Hex>('eth_getCode', [address, 'latest']);
      if (code === '0x')
        throw new Failure('no-oracle', `there is no contract at ${address} on L1: expected the L2OutputOracle`, {
          data: { address },
          hint: 'check --l2oo-address and --l1-eth-rpc',
        });
    },
  };
}
