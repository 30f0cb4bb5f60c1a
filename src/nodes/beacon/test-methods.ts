import { quantity } from '../../protocol/hex.ts';
import { RPC_CODE, RpcError } from '../../rpc/error.ts';
import type { GatewayCall, GatewayMethod, GatewayMethods } from '../../rpc/gateway/methods.ts';
import type { Channel } from '../../system/channel/channel.ts';
import { messageOf } from '../../system/failure.ts';
import type { Clock } from '../../system/time/clock.ts';
import type { SlotChain } from './chain/chain.ts';

/** Methods that move time, make blocks or go back, for the whole network: their work is the supervisor's. */
const SUPERVISED = [
  'evm_increaseTime',
  'anvil_increaseTime',
  'evm_setNextBlockTimestamp',
  'anvil_setNextBlockTimestamp',
  'evm_mine',
  'hardhat_mine',
  'anvil_mine',
  'evm_snapshot',
  'anvil_snapshot',
  'evm_revert',
  'anvil_revert',
] as const;

/** Methods of anvil that make blocks or set its time without L2, so that the two chains would diverge. */
const REFUSED = [
  'evm_mine_detailed',
  'evm_setAutomine',
  'anvil_setAutomine',
  'hardhat_setAutomine',
  'evm_setIntervalMining',
  'anvil_setIntervalMining',
  'evm_setTime',
  'anvil_setTime',
  'evm_setBlockTimestampInterval',
  'anvil_setBlockTimestampInterval',
  'evm_removeBlockTimestampInterval',
  'anvil_removeBlockTimestampInterval',
] as const;

/** Blocks of one call. */
const MAX_BLOCKS = 100_000;

/** Orders to the supervisor for the whole network. */
type Owner = Required<Pick<Channel, 'move' | 'checkpoint'>>;

/**
 * Creates the methods by which tests move time, make blocks, and go back to a snapshot. They act on the whole network:
 * anvil alone would move L1 without L2. `chain` returns undefined before L1 has answered.
 */
export function testMethods(clock: Clock, owner: Owner, chain: () => SlotChain | undefined): GatewayMethods {
  async function rpcResult(work: Promise<number>): Promise<number> {
    try {
      return await work;
    } catch (error) {
      throw new RpcError(RPC_CODE.internal, messageOf(error));
    }
  }

  async function to(ms: number): Promise<void> {
    await rpcResult(owner.move(ms));
  }

  function slots(): SlotChain {
    const slotChain = chain();
    if (slotChain === undefined) throw new RpcError(RPC_CODE.internal, 'L1 does not answer yet');
    return slotChain;
  }

  async function mine(blocks: number): Promise<void> {
    const slotChain = slots();
    await to(slotChain.timeOf(slotChain.slotAt(clock.now() / 1000) + blocks) * 1000);
  }

  const increaseTime = async (call: GatewayCall) => {
    const seconds = numberAt(call, 0, 'seconds');
    await to(clock.now() + seconds * 1000);
    return seconds;
  };
  const setNextTime = async (call: GatewayCall) => {
    await to(numberAt(call, 0, 'a Unix timestamp') * 1000);
    return null;
  };
  const mineMany = async (call: GatewayCall) => {
    const blocks = call.params[0] == null ? 1 : numberAt(call, 0, 'a number of blocks');
    if (blocks < 1 || blocks > MAX_BLOCKS) throw invalid(call, `expected 1 to ${MAX_BLOCKS} blocks`);
    const { secondsPerSlot } = slots();
    // viem sends 0 if its caller gives no interval.
    const interval = (call.params[1] == null ? 0 : numberAt(call, 1, 'seconds')) || secondsPerSlot;
    if (interval !== secondsPerSlot)
      throw invalid(call, `L1's blocks are ${secondsPerSlot} s apart: expected no other interval`);
    await mine(blocks);
    return null;
  };

  const take = async () => quantity(await rpcResult(owner.checkpoint({ action: 'take' })));
  const revert = async (call: GatewayCall) => {
    const number = numberAt(call, 0, 'the id of a snapshot');
    return (await rpcResult(owner.checkpoint({ action: 'restore', number }))) === 1;
  };

  const supervised: Record<(typeof SUPERVISED)[number], GatewayMethod> = {
    evm_increaseTime: increaseTime,
    anvil_increaseTime: increaseTime,
    evm_setNextBlockTimestamp: setNextTime,
    anvil_setNextBlockTimestamp: setNextTime,
    async evm_mine(call) {
      if (call.params[0] == null) await mine(1);
      else await to(numberAt(call, 0, 'a Unix timestamp') * 1000);
      return '0x0';
    },
    evm_snapshot: take,
    anvil_snapshot: take,
    evm_revert: revert,
    anvil_revert: revert,
    hardhat_mine: mineMany,
    anvil_mine: mineMany,
  };
  return { ...Object.fromEntries(REFUSED.map((name) => [name, refuse])), ...supervised };
}

/**
 * Refuses all these methods in a network without a supervisor.
 * Its time is the wall clock, and anvil would apply them to L1 alone.
 */
export function unsupervisedMethods(): GatewayMethods {
  return Object.fromEntries([...SUPERVISED, ...REFUSED].map((name) => [name, refuseUnsupervised]));
}

/** @throws RpcError always, with the network that has the method */
function refuseUnsupervised({ method }: GatewayCall): never {
  throw new RpcError(
    RPC_CODE.methodNotFound,
    `${method} is not available: it needs a supervisor, and this network has none, so it would tear L1 from L2; ` +
      'its time is the wall clock. Run the spec on one machine by `devnet up` to move time or go back',
  );
}

/** @throws RpcError always, with the way that works */
function refuse({ method }: GatewayCall): never {
  throw new RpcError(
    RPC_CODE.methodNotFound,
    `${method} is not available: L1's blocks come by the clock of the network, and it would tear L1 from L2; ` +
      'use evm_mine or evm_increaseTime, run `devnet warp`, or set `time: { clock: instant }` in the spec',
  );
}

/** Reads a parameter: a number, or a decimal or hex text. @throws RpcError */
function numberAt(call: GatewayCall, at: number, what: string): number {
  const value = call.params[at];
  const text = typeof value === 'number' ? String(value) : value;
  const number = typeof text === 'string' && /^(0x[0-9a-fA-F]{1,12}|\d{1,12})$/.test(text) ? Number(text) : undefined;
  if (number === undefined) throw invalid(call, `expected ${what}, found ${JSON.stringify(value)}`);
  return number;
}

function invalid({ method }: GatewayCall, message: string): RpcError {
  return new RpcError(RPC_CODE.invalidParams, `${method}: ${message}`);
}
