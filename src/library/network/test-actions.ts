import { type Address, numberToHex, type TestActions } from 'viem';
import { UnsupportedError } from './errors.ts';

/** Actions of a rollup's test client on the network. Amounts in wei, times in seconds. */
export interface RollupMoves {
  /** Time between two blocks. */
  readonly blockTime: number;
  /** Moves the clock until the sequencer has so many further blocks. */
  mine(blocks: number): Promise<void>;
  /** Moves the clock forward. */
  increaseTime(seconds: number): Promise<void>;
  /** Moves the clock to a Unix time. */
  warpTo(time: number): Promise<void>;
  balanceOf(address: Address): Promise<bigint>;
  /** Mints by a deposit. */
  fund(address: Address, value: bigint): Promise<void>;
}

const OF_CLOCK = 'blocks come by the clock of the network; use mine, increaseTime, or a spec with another clock';
const OF_STATE = 'every node derives the same state from L1, and no client may write its own; send a transaction';
const OF_CLIENT = 'the other nodes would keep their blocks, and this client would part from them';
const OF_FEES = 'fees follow from the system config on L1, for every node alike';
const OF_SIGNERS = 'every node checks signatures; sign with the key of the account, or deposit from L1';

/** The methods that no node of a rollup can do, with the reason. */
const REASONS = {
  dropTransaction: OF_CLIENT,
  dumpState: OF_CLIENT,
  getAutomine: OF_CLOCK,
  impersonateAccount: OF_SIGNERS,
  loadState: OF_CLIENT,
  removeBlockTimestampInterval: OF_CLOCK,
  reset: OF_CLIENT,
  revert: OF_CLIENT,
  sendUnsignedTransaction: OF_SIGNERS,
  setAutomine: OF_CLOCK,
  setBlockGasLimit: OF_FEES,
  setBlockTimestampInterval: OF_CLOCK,
  setCode: OF_STATE,
  setCoinbase: OF_STATE,
  setIntervalMining: OF_CLOCK,
  setLoggingEnabled: OF_CLIENT,
  setMinGasPrice: OF_FEES,
  setNextBlockBaseFeePerGas: OF_FEES,
  setNonce: OF_STATE,
  setRpcUrl: OF_CLIENT,
  setStorageAt: OF_STATE,
  snapshot: OF_CLIENT,
  stopImpersonatingAccount: OF_SIGNERS,
} as const satisfies Partial<Record<keyof TestActions, string>>;

type Unsupported = keyof typeof REASONS;
type Changes = Omit<TestActions, Unsupported | 'getTxpoolContent' | 'getTxpoolStatus' | 'inspectTxpool'>;

/** Returns the actions of a rollup's test client that differ from those of a single client. */
export function rollupTestActions(moves: RollupMoves): Changes & Record<Unsupported, () => Promise<never>> {
  const changes: Changes = {
    async mine({ blocks, interval }) {
      if (interval !== undefined && interval !== 0 && interval !== moves.blockTime)
        throw new UnsupportedError('mine', `the blocks of this rollup are ${moves.blockTime} s apart, not ${interval}`);
      await moves.mine(blocks);
    },
    async increaseTime({ seconds }) {
      await moves.increaseTime(seconds);
      return numberToHex(seconds);
    },
    setNextBlockTimestamp: ({ timestamp }) => moves.warpTo(Number(timestamp)),
    async setBalance({ address, value }) {
      const balance = await moves.balanceOf(address);
      if (value < balance)
        throw new UnsupportedError(
          'setBalance',
          `${address} has ${balance} wei, and only its own transactions take any away; ask for at least as much`,
        );
      if (value > balance) await moves.fund(address, value - balance);
    },
  };
  return { ...changes, ...refusals() };
}

function refusals(): Record<Unsupported, () => Promise<never>> {
  const entries = Object.entries(REASONS).map(([method, reason]) => [
    method,
    async () => {
      throw new UnsupportedError(method, reason);
    },
  ]);
  return Object.fromEntries(entries);
}
