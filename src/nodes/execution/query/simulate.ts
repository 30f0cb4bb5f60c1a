import { Account, Address } from '@ethereumjs/util';
import type { BlockHeader } from '../../../protocol/codec/header.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { RpcError } from '../../../rpc/error.ts';
import { TransactionInvalid } from '../block/errors.ts';
import { applyAuthorizations, inTransaction, settleGas, warm } from '../block/transition.ts';
import type { Chain } from '../chain/chain.ts';
import { createMachine, type Machine } from '../evm/machine.ts';
import { JournaledState } from '../state/journaled.ts';
import { checkGas } from '../transaction/intrinsic-gas.ts';
import type { AccessListEntry, Authorization } from '../transaction/transaction.ts';
import { CALL_GAS_CAP, type CallArguments, type StateOverrides } from './call-arguments.ts';

/** What a call came to. */
export interface Simulation {
  readonly gasUsed: bigint;
  readonly returnValue: Uint8Array;
  /** The EVM's word for a failure; absent: it succeeded. */
  readonly failure?: string;
  readonly createdAddress?: Uint8Array;
  /** Addresses and slots that it touched. */
  readonly accessList: readonly { readonly address: Hex; readonly storageKeys: readonly Hex[] }[];
}

/**
 * Runs a call on the state after a block, and leaves nothing behind. Fees are paid only where the call names a price.
 * @throws RpcError where it cannot start
 */
export async function simulate(
  chain: Chain,
  at: { readonly hash: Hex; readonly header: BlockHeader },
  call: CallArguments,
  options: { readonly gas?: bigint; readonly overrides?: StateOverrides | null } = {},
): Promise<Simulation> {
  const price = call.gasPrice ?? call.maxFeePerGas ?? 0n;
  const machine = machineAt(chain, at, price === 0n ? 0n : at.header.baseFeePerGas);
  await applyOverrides(machine, options.overrides ?? {});
  const shape = shapeOf(call, options.gas ?? call.gas ?? CALL_GAS_CAP);
  const sender = new Address(shape.sender);
  try {
    const { gas: intrinsic, floor } = checkGas(machine.rules.evm, shape);
    requireFunds(machine, shape.sender, shape.value + shape.gasLimit * price);
    return await inTransaction(machine, async () => {
      machine.evm.journal.startReportingAccessList();
      warm(machine, shape);
      const account = (await machine.state.getAccount(sender)) ?? new Account();
      account.nonce += 1n;
      await machine.evm.journal.putAccount(sender, account);
      const refund = await applyAuthorizations(machine, shape.authorizationList);
      const { execResult, createdAddress } = await machine.evm.runCall({
        block: machine.block,
        gasPrice: price,
        caller: sender,
        gasLimit: shape.gasLimit - intrinsic,
        ...(shape.to === null ? {} : { to: new Address(shape.to) }),
        value: shape.value,
        data: shape.data,
        skipNonceIncrement: true,
      });
      const failure = execResult.exceptionError?.error;
      return {
        gasUsed: settleGas(intrinsic + execResult.executionGasUsed, refund + (execResult.gasRefund ?? 0n), floor),
        returnValue: execResult.returnValue,
        ...(failure === undefined ? {} : { failure }),
        ...(createdAddress === undefined ? {} : { createdAddress: createdAddress.bytes }),
        accessList: [...(machine.evm.journal.accessList ?? [])].map(([address, slots]) => ({
          address: `0x${address}` as Hex,
          storageKeys: [...slots].map((slot) => `0x${slot}` as Hex),
        })),
      };
    });
  } catch (error) {
    if (error instanceof TransactionInvalid) throw new RpcError(-32000, error.message);
    throw error;
  }
}

/** Whether a plain transfer reaches an account without code. */
export function isPlainTransfer(chain: Chain, header: BlockHeader, call: CallArguments): boolean {
  if (call.to == null || call.authorizationList != null || (call.accessList?.length ?? 0) > 0) return false;
  if ((call.input ?? call.data ?? '0x') !== '0x') return false;
  const state = chain.stateOf(header);
  return state.code(state.account(hexToBytes(call.to))).length === 0;
}

function machineAt(chain: Chain, { hash, header }: { hash: Hex; header: BlockHeader }, baseFee: bigint): Machine {
  const parent = chain.header(header.parentHash) ?? header;
  const { rules, blockHash } = chain.groundOn(header.number === 0 ? hash : header.parentHash, parent, header.timestamp);
  return createMachine(chain.chainId, rules, new JournaledState(chain.stateOf(header)), {
    number: header.number,
    timestamp: header.timestamp,
    coinbase: header.beneficiary,
    prevRandao: header.mixHash,
    gasLimit: header.gasLimit,
    baseFee,
    blockHash,
  });
}

function shapeOf(call: CallArguments, gasLimit: bigint) {
  const accessList: AccessListEntry[] = (call.accessList ?? []).map(({ address, storageKeys }) => ({
    address: hexToBytes(address),
    storageKeys: storageKeys.map(hexToBytes),
  }));
  const authorizationList: Authorization[] = (call.authorizationList ?? []).map((entry) => ({
    ...entry,
    address: hexToBytes(entry.address),
  }));
  return {
    sender: hexToBytes(call.from ?? `0x${'00'.repeat(20)}`),
    to: call.to == null ? null : hexToBytes(call.to),
    value: call.value ?? 0n,
    data: hexToBytes(call.input ?? call.data ?? '0x'),
    gasLimit: gasLimit > CALL_GAS_CAP ? CALL_GAS_CAP : gasLimit,
    accessList,
    authorizationList,
  };
}

function requireFunds(machine: Machine, sender: Uint8Array, needed: bigint): void {
  const balance = machine.state.account(sender)?.balance ?? 0n;
  if (balance >= needed) return;
  const address = `0x${Buffer.from(sender).toString('hex')}`;
  throw new TransactionInvalid(
    'insufficient funds for gas * price + value',
    `address ${address} have ${balance} want ${needed}`,
  );
}

async function applyOverrides(machine: Machine, overrides: StateOverrides): Promise<void> {
  for (const [key, override] of Object.entries(overrides)) {
    const address = new Address(hexToBytes(key));
    const account = (await machine.state.getAccount(address)) ?? new Account();
    account.balance = override.balance ?? account.balance;
    account.nonce = override.nonce ?? account.nonce;
    await machine.state.putAccount(address, account);
    if (override.code != null) machine.state.setCode(address.bytes, hexToBytes(override.code));
    if (override.state != null) await machine.state.clearStorage(address);
    for (const [slot, value] of Object.entries({ ...override.state, ...override.stateDiff }))
      machine.state.setWord(address.bytes, hexToBytes(slot), hexToBytes(value));
  }
  machine.state.originalStorageCache.clear();
}
