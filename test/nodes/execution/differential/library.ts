import { createBlock } from '@ethereumjs/block';
import { NobleBN254, type paramsEVM } from '@ethereumjs/evm';
import { createTxFromRLP } from '@ethereumjs/tx';
import { createAddressFromString } from '@ethereumjs/util';
import { createVM, runTx, type VM } from '@ethereumjs/vm';
import { loadPointEvaluation } from '../../../../src/nodes/execution/evm/kzg.ts';
import { u256be } from '../../../../src/protocol/bytes.ts';
import { HISTORY_STORAGE_ADDRESS } from '../../../../src/protocol/execution/predeploys.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { EvmLevel } from '../../../../src/protocol/rules/rules.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import type { Alloc } from '../support/genesis.ts';
import { libraryCommon, libraryState } from '../support/library-state.ts';
import type { Implementation, Outcome } from './block.ts';
import { type Coverage, inspect } from './coverage.ts';

/** Contract of EIP-2935. The library writes to it only in whole blocks. */
const HISTORY = createAddressFromString(HISTORY_STORAGE_ADDRESS);

/** The EVM library's own transaction runner, state manager, trie and cryptography. */
export async function libraryRunner(
  level: EvmLevel,
  alloc: Alloc,
  options: {
    readonly coverage?: Coverage;
    readonly gasTable?: typeof paramsEVM;
    readonly pointEvaluation?: boolean;
  } = {},
): Promise<Implementation> {
  const common = libraryCommon(level);
  // The library takes KZG from outside, so it is ours.
  if (options.pointEvaluation !== false) common.customCrypto.kzg = await loadPointEvaluation();
  const stateManager = await libraryState(common, alloc);
  const hashes = new Map<bigint, Uint8Array>();
  const blockchain = {
    getBlock: async (number: bigint | number) => ({ hash: () => hashes.get(BigInt(number)) ?? new Uint8Array(32) }),
    putBlock: async () => {},
    shallowCopy: () => blockchain,
  };
  const evmOpts = { bn254: new NobleBN254(), ...(options.gasTable === undefined ? {} : { params: options.gasTable }) };
  const vm: VM = await createVM({ common, stateManager, blockchain: blockchain as never, evmOpts });
  if (options.coverage !== undefined) inspect(vm.evm, options.coverage);
  return {
    name: '@ethereumjs/vm',
    async run(environment, transactions) {
      hashes.set(BigInt(environment.number - 1), hexToBytes(environment.parentHash));
      const header = {
        number: environment.number,
        timestamp: environment.timestamp,
        coinbase: environment.coinbase,
        mixHash: environment.prevRandao,
        gasLimit: environment.gasLimit,
        baseFeePerGas: environment.baseFee,
        difficulty: 0,
      };
      const block = createBlock({ header } as never, { common, skipConsensusFormatValidation: true });
      const outcomes: Outcome[] = [];
      let cumulativeGasUsed = 0;
      await stateManager.checkpoint();
      if (common.isActivatedEIP(2935))
        await stateManager.putStorage(
          HISTORY,
          u256be((environment.number - 1) % 8191),
          hexToBytes(environment.parentHash),
        );
      for (const raw of transactions) {
        const tx = createTxFromRLP(raw, { common });
        const result = await runTx(vm, { tx, block, skipHardForkValidation: true, blockGasUsed: 0n });
        const gasUsed = Number(result.totalGasSpent);
        cumulativeGasUsed += gasUsed;
        outcomes.push({
          status: result.execResult.exceptionError === undefined,
          gasUsed,
          cumulativeGasUsed,
          logs: (result.execResult.logs ?? []).map(([address, topics, data]) => ({
            address: bytesToHex(address),
            topics: topics.map(bytesToHex),
            data: bytesToHex(data),
          })),
          contractAddress: tx.to === undefined ? (result.createdAddress?.toString() as Hex | undefined) : null,
        });
      }
      await stateManager.commit();
      return { outcomes, stateRoot: bytesToHex(await stateManager.getStateRoot()) };
    },
  };
}
