import { beforeAll, describe, expect, it } from 'vitest';
import { applyPreExecutionCalls, systemCall } from '../../../../src/nodes/execution/block/system-calls.ts';
import { prepareCrypto } from '../../../../src/nodes/execution/evm/crypto.ts';
import { u256be } from '../../../../src/protocol/bytes.ts';
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '../../../../src/protocol/execution/predeploys.ts';
import { hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import type { Alloc } from '../support/genesis.ts';
import { type EthereumFork, openEthereumBlock } from '../support/open-block.ts';

beforeAll(prepareCrypto);

const SYSTEM: Hex = '0xfffffffffffffffffffffffffffffffffffffffe';
const PARENT: Hex = `0x${'0a'.repeat(32)}`;
const ROOT: Hex = `0x${'0b'.repeat(32)}`;
const CONTRACT: Hex = `0x${'cc'.repeat(20)}`;
/** Stores caller, the first word of the calldata, the price of gas, and the gas at the begin. */
const RECORDER = '0x5a6003553360005560003560015534600255';

const recorders = { [BEACON_ROOTS_ADDRESS]: { code: RECORDER }, [HISTORY_STORAGE_ADDRESS]: { code: RECORDER } };
const openedAt = async (fork: EthereumFork, alloc: Alloc = recorders) => (await openEthereumBlock(alloc, fork)).vm;
type Vm = Awaited<ReturnType<typeof openedAt>>;
const words = ({ state }: Vm, address: Hex) =>
  [0, 1, 2].map((slot) => Buffer.from(state.word(hexToBytes(address), u256be(slot))).toString('hex'));
const NONE = ['', '', ''];
const called = (data: Hex) => [SYSTEM.slice(2), data.slice(2), ''];

describe('the calls that open a block', () => {
  it.each<[EthereumFork, Hex | undefined, beacon: boolean, history: boolean]>([
    ['shanghai', ROOT, false, false],
    ['cancun', ROOT, true, false],
    ['cancun', undefined, false, false],
    ['prague', ROOT, true, true],
    ['prague', undefined, false, true],
  ])('of %s with the beacon root %s are those of its EIPs', async (fork, root, beacon, history) => {
    const vm = await openedAt(fork);
    await applyPreExecutionCalls(vm, PARENT, root);
    expect(words(vm, BEACON_ROOTS_ADDRESS)).toEqual(beacon ? called(ROOT) : NONE);
    expect(words(vm, HISTORY_STORAGE_ADDRESS)).toEqual(history ? called(PARENT) : NONE);
  });
});

describe('a system call', () => {
  it('comes from the system address, which does not exist afterwards, with 30 million gas', async () => {
    const vm = await openedAt('cancun', { [CONTRACT]: { code: RECORDER } });
    expect(await systemCall(vm, CONTRACT, ROOT)).toMatchObject({ returnValue: new Uint8Array() });
    expect(words(vm, CONTRACT)).toEqual(called(ROOT));
    expect(vm.state.word(hexToBytes(CONTRACT), u256be(3))).toEqual(hexToBytes('0x01c9c37e'));
    expect(vm.state.account(hexToBytes(SYSTEM))).toBeUndefined();
  });

  it('finds its contract warm, as EIP-2929 counts', async () => {
    // The gas between two readings, around the balance of the contract itself: 106 with a warm address.
    const vm = await openedAt('cancun', { [CONTRACT]: { code: '0x5a3031505a900360005260206000f3' } });
    expect((await systemCall(vm, CONTRACT, ROOT)).returnValue).toEqual(u256be(106));
  });

  it('leaves no access of the system address, which a witness would have to prove absent', async () => {
    const vm = await openedAt('cancun', { [CONTRACT]: { code: RECORDER } });
    await systemCall(vm, CONTRACT, ROOT);
    expect([...vm.state.touched().keys()]).toEqual([CONTRACT]);
  });

  it('answers what its contract returns, and why it failed', async () => {
    const vm = await openedAt('cancun', { [CONTRACT]: { code: '0x60aa60005260206000fd' } });
    const { failure, returnValue } = await systemCall(vm, CONTRACT, '0x');
    expect([failure, returnValue]).toEqual(['revert', u256be(0xaa)]);
    const nothing = await systemCall(await openedAt('cancun', {}), CONTRACT, '0x');
    expect([nothing.failure, nothing.returnValue.length]).toEqual([undefined, 0]);
  });
});
