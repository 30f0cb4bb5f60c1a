import { beforeAll, describe, expect, it } from 'vitest';
import { applyAuthorizations, inTransaction } from '../../../../src/nodes/execution/block/transition.ts';
import { prepareCrypto } from '../../../../src/nodes/execution/evm/crypto.ts';
import type { Authorization } from '../../../../src/nodes/execution/transaction/transaction.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import type { Alloc } from '../support/genesis.ts';
import { openEthereumBlock } from '../support/open-block.ts';
import { keyOf } from '../support/pool.ts';

beforeAll(prepareCrypto);

const signer = ACCOUNTS[0]!;
const AUTHORITY = signer.address.toLowerCase() as Hex;
const TARGET = keyOf(900);
const delegated = (address: Hex) => `0xef0100${address.slice(2)}`;

async function signed(nonce: number, { chainId = 901, address = TARGET } = {}): Promise<Authorization> {
  const { yParity, r, s } = await signer.signAuthorization({ chainId, contractAddress: address, nonce });
  const signature = { yParity: BigInt(yParity ?? 0), r: BigInt(r), s: BigInt(s) };
  return { chainId: BigInt(chainId), address: hexToBytes(address), nonce: BigInt(nonce), ...signature };
}

/** Applies authorizations. Returns the refund, and nonce and code of the authority. */
async function applied(account: Alloc[string] | undefined, list: readonly Authorization[]) {
  const { vm } = await openEthereumBlock(account === undefined ? {} : { [AUTHORITY]: account });
  const refund = await inTransaction(vm, (scope) => applyAuthorizations(vm, scope, list));
  const key = hexToBytes(AUTHORITY);
  return [refund, vm.state.account(key)?.nonce, bytesToHex(vm.state.code(key))];
}

describe('an authorization', () => {
  it.each<[string, Alloc[string] | undefined, Parameters<typeof signed>, unknown[]]>([
    ['delegates a new account', undefined, [0], [0n, 1n, delegated(TARGET)]],
    ['delegates an account, with a refund', { nonce: '4' }, [4], [12_500n, 5n, delegated(TARGET)]],
    ['holds on every chain', { nonce: '4' }, [4, { chainId: 0 }], [12_500n, 5n, delegated(TARGET)]],
    ['replaces another', { nonce: '4', code: delegated(keyOf(7)) }, [4], [12_500n, 5n, delegated(TARGET)]],
    [
      'to address zero ends a delegation',
      { nonce: '4', code: delegated(keyOf(7)) },
      [4, { address: `0x${'00'.repeat(20)}` }],
      [12_500n, 5n, '0x'],
    ],
    ['of another chain is skipped', { nonce: '4' }, [4, { chainId: 902 }], [0n, 4n, '0x']],
    ['of an earlier nonce is skipped', { nonce: '4' }, [3], [0n, 4n, '0x']],
    ['of a later nonce is skipped', { nonce: '4' }, [5], [0n, 4n, '0x']],
    ['of a contract is skipped', { nonce: '4', code: '0x6001' }, [4], [0n, 4n, '0x6001']],
  ])('%s', async (_, account, fields, expected) => {
    expect(await applied(account, [await signed(...fields)])).toEqual(expected);
  });

  it('that is malformed is skipped, and those after it are applied in order', async () => {
    const list = [{ ...(await signed(0)), yParity: 2n }, await signed(0), await signed(1, { address: keyOf(8) })];
    expect(await applied(undefined, list)).toEqual([12_500n, 2n, delegated(keyOf(8))]);
  });

  it('makes its authority warm, also when it is skipped', async () => {
    const { vm } = await openEthereumBlock({ [TARGET]: { code: `0x73${AUTHORITY.slice(2)}31` } });
    const entry = await signed(7);
    const call = { caller: hexToBytes(keyOf(1)), to: hexToBytes(TARGET), value: 0n, data: new Uint8Array() };
    const gasOf = (list: readonly Authorization[]) =>
      inTransaction(vm, async (scope) => {
        applyAuthorizations(vm, scope, list);
        return (await scope.run({ ...call, gasLimit: 100_000n, gasPrice: 0n })).gasUsed;
      });
    expect([await gasOf([]), await gasOf([entry])]).toEqual([2603n, 103n]);
  });
});

describe('the body of a transaction', () => {
  const key = hexToBytes(keyOf(5));
  it('is reverted with its checkpoint when it throws', async () => {
    const { vm } = await openEthereumBlock({});
    const { depth } = vm.state;
    const failing = inTransaction(vm, (scope) => {
      scope.credit(key, 5n);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect([vm.state.account(key), vm.state.depth]).toEqual([undefined, depth]);
    await inTransaction(vm, (scope) => scope.credit(key, 5n));
    expect([vm.state.account(key)?.balance, vm.state.depth]).toEqual([5n, depth]);
  });
});
