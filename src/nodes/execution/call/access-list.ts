import { contractAddress } from '../../../protocol/accounts/contract-address.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import { rulePrecompiles } from '../evm/precompiles.ts';
import type { CallArguments } from './call-arguments.ts';
import type { CallBlock, CallEnvironment } from './call-evm.ts';
import type { CallContext } from './context.ts';
import { type Simulation, simulate } from './simulate.ts';

type AccessList = Simulation['accessList'];

/**
 * Returns the smallest access list that covers a call, and its result with that list (geth: `AccessList`).
 * Sender, recipient and precompiles are warm. They are listed only if slots of theirs are touched.
 */
export async function createAccessList(
  { chain, limits, flavour }: CallContext,
  at: CallBlock,
  call: CallArguments,
  setting: CallEnvironment,
): Promise<Simulation> {
  const blockGas = at.header.gasLimit;
  const gasCap =
    call.gas == null && flavour.calls.capsPricedCalls && blockGas < limits.gasCap ? blockGas : limits.gasCap;
  const from = call.from ?? `0x${'00'.repeat(20)}`;
  const nonce = call.nonce ?? chain.stateOf(at.header).account(hexToBytes(from))?.nonce ?? 0n;
  const precompiles = rulePrecompiles(chain.rulesAt(at.header.timestamp));
  const warm = new Set<string>([from, call.to ?? contractAddress(from, nonce), ...precompiles.keys()]);
  let accessList: AccessList = call.accessList ?? [];
  for (;;) {
    const next = {
      ...call,
      accessList: accessList.map((entry) => ({ ...entry, storageKeys: [...entry.storageKeys] })),
    };
    const result = await simulate(chain, at, next, { ...setting, flavour, gasCap, reportsAccess: true });
    const list = result.accessList.filter(({ address, storageKeys }) => storageKeys.length > 0 || !warm.has(address));
    if (sizeOf(list) === sizeOf(accessList)) return { ...result, accessList };
    accessList = list;
  }
}

function sizeOf(list: AccessList): number {
  return list.reduce((sum, { storageKeys }) => sum + 1 + storageKeys.length, 0);
}
