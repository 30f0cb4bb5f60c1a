import { EVM, getActivePrecompiles } from '@ethereumjs/evm';
import { SimpleStateManager } from '@ethereumjs/statemanager';
import { Account, createAddressFromString, hexToBytes } from '@ethereumjs/util';
import { atLeast } from '../../../src/protocol/rules/evm-level.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { libraryCommon } from '../../nodes/execution/support/library-state.ts';
import { BLOCK, CONTEXT, SENDER } from '../support/context.ts';
import { accountText, type Case, CONTRACTS, logText, PRECOMPILES, type Report } from './case.ts';

const blockchain = {
  getBlock: async (number: number | bigint) => ({ hash: () => BLOCK.blockHash(Number(number)) }),
  putBlock: async () => {},
  shallowCopy: () => blockchain,
};

/** Precompiles that our side does not have. An entry without a function removes one. */
const REMOVED = [...getActivePrecompiles(libraryCommon('osaka')).keys()]
  .map((key): Hex => `0x${key}`)
  .filter((at) => !PRECOMPILES.has(at))
  .map((at) => ({ address: at }));

/** Runs a case on the EVM library. */
export async function runLibrary(each: Case): Promise<Report> {
  const common = libraryCommon(each.level);
  const state = new SimpleStateManager({ common });
  await fill(state, each);
  const options = { common, stateManager: state, blockchain: blockchain as never, customPrecompiles: REMOVED };
  const evm = new EVM(options);
  for (const warm of [SENDER, CONTRACTS[0]!, ...PRECOMPILES.keys()]) evm.journal.addAlwaysWarmAddress(warm);
  const { execResult } = await evm.runCall({
    caller: createAddressFromString(SENDER),
    to: createAddressFromString(CONTRACTS[0]!),
    data: each.data,
    value: each.value,
    gasLimit: each.gas,
    gasPrice: CONTEXT.gasPrice,
    origin: createAddressFromString(CONTEXT.origin),
    blobVersionedHashes: [...CONTEXT.blobHashes],
    skipNonceIncrement: true,
    block: blockOf(),
  });
  const error = execResult.exceptionError?.error;
  const outcome = error === undefined ? 'success' : error === 'revert' ? 'revert' : 'halt';
  return {
    outcome,
    gasLeft: outcome === 'halt' ? 0n : each.gas - execResult.executionGasUsed,
    output: outcome === 'halt' ? '' : Buffer.from(execResult.returnValue).toString('hex'),
    refund: outcome === 'success' ? (execResult.gasRefund ?? 0n) : 0n,
    logs:
      outcome === 'success' ? (execResult.logs ?? []).map(([at, topics, data]) => logText(hex(at), topics, data)) : [],
    destroyed: outcome === 'success' ? destroyedOf(each, execResult) : [],
    accounts: await accountsOf(state),
  };
}

/** From cancun on the library names all, and its transactions remove those that were made in the same one. */
function destroyedOf(
  { level }: Case,
  { selfdestruct, createdAddresses }: Awaited<ReturnType<EVM['runCall']>>['execResult'],
): readonly string[] {
  const all = [...(selfdestruct?.keys() ?? [])].map(String).sort();
  return atLeast(level, 'cancun') ? all.filter((at) => createdAddresses?.has(at as `0x${string}`)) : all;
}

async function fill(state: SimpleStateManager, { accounts }: Case): Promise<void> {
  for (const [at, { balance, nonce, code, storage }] of accounts) {
    const address = createAddressFromString(at);
    await state.putAccount(address, new Account(nonce, balance));
    if (code.length > 0) await state.putCode(address, code);
    for (const [slot, value] of storage)
      await state.putStorage(address, hexToBytes(slot), hexToBytes(`0x${value.toString(16).padStart(64, '0')}`));
  }
}

async function accountsOf(state: SimpleStateManager): Promise<readonly string[]> {
  const storage = new Map<string, Map<string, bigint>>();
  for (const [key, value] of state['storageStack'].at(-1) ?? []) {
    const [at = '', slot = ''] = key.split('_');
    const slots = storage.get(at) ?? new Map<string, bigint>();
    storage.set(at, slots.set(slot, BigInt(value.length === 0 ? 0 : `0x${Buffer.from(value).toString('hex')}`)));
  }
  const texts: string[] = [];
  for (const [at, account] of state['accountStack'].at(-1) ?? []) {
    if (account === undefined) continue;
    const code = await state.getCode(createAddressFromString(at));
    const text = accountText(
      at,
      { balance: account.balance, nonce: account.nonce, code },
      storage.get(at) ?? new Map(),
    );
    if (text !== undefined) texts.push(text);
  }
  return texts.sort();
}

const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;

function blockOf() {
  const header = {
    number: BLOCK.number,
    coinbase: createAddressFromString(BLOCK.coinbase),
    timestamp: BLOCK.timestamp,
    difficulty: 0n,
    prevRandao: hexToBytes(BLOCK.prevRandao),
    gasLimit: BLOCK.gasLimit,
    baseFeePerGas: BLOCK.baseFee,
    getBlobGasPrice: () => BLOCK.blobBaseFee,
  };
  return { header };
}
