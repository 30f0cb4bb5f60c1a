import { createBlock } from '@ethereumjs/block';
import type { CustomCrypto } from '@ethereumjs/common';
import { NobleBN254 } from '@ethereumjs/evm';
import { createTxFromRLP } from '@ethereumjs/tx';
import { createAddressFromString, ecrecover } from '@ethereumjs/util';
import { createVM, runTx, type VM } from '@ethereumjs/vm';
import { u256be } from '../../../../src/protocol/bytes.ts';
import { HISTORY_STORAGE_ADDRESS } from '../../../../src/protocol/execution/predeploys.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { EvmLevel } from '../../../../src/protocol/rules/rules.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import type { Alloc } from '../support/genesis.ts';
import { customCrypto, loadPointEvaluation } from '../support/library-crypto.ts';
import { copiedState, libraryCommon, libraryState, rootOfCopied } from '../support/library-state.ts';
import { type Implementation, type Outcome, rejectionOutcome, stepText } from './block.ts';
import { type Coverage, inspect } from './coverage.ts';

/** Our hash and signature library, but not for the precompile of ECRECOVER, whose `v` is 27 or 28. */
const FAST_CRYPTO: CustomCrypto = {
  keccak256: customCrypto.keccak256,
  ecrecover: (message, v, r, s, chainId) =>
    v < 27n ? customCrypto.ecrecover(message, v + 27n, r, s) : ecrecover(message, v, r, s, chainId),
};

const STOP = 0;
const REVERT = 0xfd;
const PLAIN_REVERT = 0x100;

/** Keeps step events from reading the data of a REVERT, which they do before its gas is charged. */
function plainRevert(evm: unknown): void {
  const { _opcodeMap: map } = evm as { readonly _opcodeMap: { opcodeInfo: object }[] };
  const entry = map[REVERT]!;
  map[REVERT] = { ...entry, opcodeInfo: Object.create(entry.opcodeInfo, { code: { value: PLAIN_REVERT } }) };
  map[PLAIN_REVERT] = map[REVERT];
}

/** Contract of EIP-2935. The library writes to it only in whole blocks. */
const HISTORY = createAddressFromString(HISTORY_STORAGE_ADDRESS);

/** The EVM library's own transaction runner, state manager, trie and cryptography. */
export async function libraryRunner(
  level: EvmLevel,
  alloc: Alloc,
  options: {
    readonly coverage?: Coverage;
    readonly pointEvaluation?: boolean;
    /** Reports instructions, and transactions that it rejects. */
    readonly steps?: boolean;
    /** Copies the state at each checkpoint instead of writing it to tries, with fast hashes and senders. */
    readonly isCopied?: boolean;
  } = {},
): Promise<Implementation> {
  const common = libraryCommon(level);
  if (options.isCopied) Object.assign(common.customCrypto, FAST_CRYPTO);
  // The library takes KZG from outside, so it is ours.
  if (options.pointEvaluation !== false) common.customCrypto.kzg = await loadPointEvaluation();
  const copied = options.isCopied ? await copiedState(common, alloc) : undefined;
  const stateManager = copied ?? (await libraryState(common, alloc));
  const hashes = new Map<bigint, Uint8Array>();
  const blockchain = {
    getBlock: async (number: bigint | number) => ({ hash: () => hashes.get(BigInt(number)) ?? new Uint8Array(32) }),
    putBlock: async () => {},
    shallowCopy: () => blockchain,
  };
  const evmOpts = { bn254: new NobleBN254() };
  const vm: VM = await createVM({ common, stateManager, blockchain: blockchain as never, evmOpts });
  if (options.coverage !== undefined) inspect(vm.evm, options.coverage);
  let steps: string[] = [];
  if (options.steps) {
    plainRevert(vm.evm);
    vm.evm.events!.on('step', ({ depth, pc, opcode, gasLeft, gasRefund, stack }) => {
      const op = opcode.code === PLAIN_REVERT ? REVERT : opcode.code;
      if (op !== STOP) steps.push(stepText({ depth, pc, op, gas: gasLeft, refund: gasRefund, stack }));
    });
  }
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
        steps = [];
        const result = await runTx(vm, { tx, block, skipHardForkValidation: true, blockGasUsed: 0n }).catch((error) => {
          if (options.steps) return undefined;
          throw error;
        });
        if (result === undefined) {
          outcomes.push(rejectionOutcome(cumulativeGasUsed));
          continue;
        }
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
          ...(options.steps ? { steps } : {}),
        });
      }
      await stateManager.commit();
      return { outcomes, stateRoot: bytesToHex(copied ? rootOfCopied(copied) : await stateManager.getStateRoot()) };
    },
  };
}
