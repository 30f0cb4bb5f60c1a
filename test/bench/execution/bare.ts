import { createBlock } from '@ethereumjs/block';
import { Common, Mainnet } from '@ethereumjs/common';
import { EVM } from '@ethereumjs/evm';
import { type MerkleStateManager, SimpleStateManager } from '@ethereumjs/statemanager';
import { createTxFromRLP, type TypedTransaction } from '@ethereumjs/tx';
import { Account, Address, createAddressFromString, hexToBytes } from '@ethereumjs/util';
import { createVM, runTx, type VM } from '@ethereumjs/vm';
import { recoverPublicKey } from '../../../src/nodes/crypto/secp256k1.ts';
import { concat } from '../../../src/protocol/bytes.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { ACCOUNTS } from '../../nodes/execution/support/accounts.ts';
import { type Alloc, CHAIN_ID } from '../../nodes/execution/support/genesis.ts';
import { customCrypto } from '../../nodes/execution/support/library-crypto.ts';
import { libraryState } from '../../nodes/execution/support/library-state.ts';
import { BASE_FEE, BLOCK_GAS } from './ours.ts';

/** The library with the same native cryptography as ours. */
const common = () =>
  new Common({
    chain: { ...Mainnet, chainId: CHAIN_ID },
    hardfork: 'prague',
    customCrypto: {
      ...customCrypto,
      ecrecover: (hash, v, r, s) => {
        const signature = concat(new Uint8Array(32 - r.length), r, new Uint8Array(32 - s.length), s);
        return recoverPublicKey(signature, Number(v < 27n ? v : v - 27n), hash);
      },
    },
  });

/** Runs calls on the bare EVM and a state in memory, without transactions. */
export async function bareCalls(
  alloc: Alloc,
  calls: readonly { to: Uint8Array; data: Uint8Array; gas: number }[],
): Promise<bigint> {
  const stateManager = new SimpleStateManager();
  for (const [address, { balance, code }] of Object.entries(alloc)) {
    const key = createAddressFromString(address);
    await stateManager.putAccount(key, new Account(0n, BigInt(balance ?? 0)));
    if (code !== undefined) await stateManager.putCode(key, hexToBytes(code as Hex));
  }
  const evm = new EVM({ common: common(), stateManager, blockchain: undefined as never });
  const caller = createAddressFromString(ACCOUNTS[0]!.address.toLowerCase());
  let gas = 0n;
  for (const { to, data, gas: limit } of calls) {
    const { execResult } = await evm.runCall({
      caller,
      to: new Address(to),
      data,
      gasLimit: BigInt(limit),
      skipNonceIncrement: true,
    });
    gas += execResult.executionGasUsed;
  }
  return gas;
}

/**
 * Runs transactions with the library on its trie. One checkpoint per block keeps each transaction from flushing the
 * trie.
 */
export async function libraryBlock(alloc: Alloc): Promise<{
  decode(raw: Uint8Array): TypedTransaction;
  run(transactions: readonly TypedTransaction[]): Promise<void>;
}> {
  const used = common();
  const stateManager: MerkleStateManager = await libraryState(used, alloc, true);
  const vm: VM = await createVM({ common: used, stateManager });
  const header = { number: 1, timestamp: 1_700_000_001, gasLimit: BLOCK_GAS, baseFeePerGas: BASE_FEE, difficulty: 0 };
  const block = createBlock({ header } as never, { common: used, skipConsensusFormatValidation: true });
  return {
    decode: (raw) => createTxFromRLP(raw, { common: used }),
    async run(transactions) {
      await stateManager.checkpoint();
      for (const tx of transactions) await runTx(vm, { tx, block, skipHardForkValidation: true, blockGasUsed: 0n });
      await stateManager.commit();
      await stateManager.getStateRoot();
    },
  };
}
