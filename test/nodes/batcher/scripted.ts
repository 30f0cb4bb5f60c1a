import { compressionOf } from '../../../src/nodes/batcher/compress.ts';
import { type BatcherConfig, type BatcherDeps, BatchSubmitter } from '../../../src/nodes/batcher/driver.ts';
import type { Inclusion } from '../../../src/nodes/txmgr/l1-backend.ts';
import type { TxCandidate } from '../../../src/nodes/txmgr/pending-transaction.ts';
import type { TxManager } from '../../../src/nodes/txmgr/txmgr.ts';
import { decodeBatcherTransaction, type Frame } from '../../../src/protocol/codec/frame.ts';
import { l1RefOf } from '../../../src/protocol/derivation/attributes/block-ref.ts';
import { l2BlockRef } from '../../../src/protocol/derivation/attributes/l2-block-ref.ts';
import { rollupOf } from '../../../src/protocol/derivation/rollup.ts';
import { type ForkName, rollupConfigTimes } from '../../../src/protocol/forks/index.ts';
import type { ExecutionPayload, L1BlockRef, L2BlockRef, RollupConfig } from '../../../src/protocol/types.ts';
import type { Outcome, Request, RpcClient } from '../../../src/rpc/client/client.ts';
import type { TraceMark } from '../../../src/system/channel/trace-marks.ts';
import { createNetwork } from '../../protocol/derivation/scripted/network.ts';
import { forksUpTo, GENESIS_TIME, hashOf, INBOX, testRollup } from '../../protocol/derivation/scripted/rollup.ts';
import { userTransaction } from '../../protocol/derivation/scripted/transactions.ts';
import { manualClock, memoryLog } from './helpers.ts';
import { blockJson } from './sequencer.ts';

export const POLL_INTERVAL_MS = 1000;
export const POLICY: BatcherConfig['policy'] = {
  batchType: 'singular',
  ...compressionOf('zlib'),
  assumedRatio: undefined,
  maxBlocksPerSpanBatch: 0,
  targetNumFrames: 1,
  maxChannelDuration: 1,
  subSafetyMargin: 2,
};

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
/** Lets all promises that can settle do so. */
export async function drain(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await nextTurn();
}
/** Turns of the event loop in which a poll of scripted nodes ends. It waits for nothing else. */
const TURNS_OF_POLL = 500;

/** A transaction that the batcher sent. */
export interface Sent extends TxCandidate {
  readonly signal: AbortSignal;
  /** Frames of its calldata. */
  readonly frames: readonly Frame[];
  readonly include: (blockNumber: number) => Promise<void>;
  readonly fail: (error: Error) => Promise<void>;
}

/** A transaction manager whose transactions the test includes. */
export function scriptedSender(): { readonly sender: TxManager; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const send = (candidate: TxCandidate, signal: AbortSignal) =>
    new Promise<Inclusion>((resolve, reject) => {
      const hash = hashOf(`transaction ${sent.length}`);
      const end = async (run: () => void) => {
        run();
        await drain();
      };
      sent.push({
        ...candidate,
        signal,
        get frames() {
          return decodeBatcherTransaction(candidate.data);
        },
        include: (blockNumber) =>
          end(() => resolve({ hash, blockHash: hashOf(`L1 ${blockNumber}`), blockNumber, success: true })),
        fail: (error) => end(() => reject(error)),
      });
    });
  return { sender: { address: INBOX, idle: async () => {}, send }, sent };
}

/** Answers of the rollup node and of the execution client, which the test changes. */
export interface ScriptedNodes {
  config: RollupConfig;
  headL1: L1BlockRef;
  currentL1: L1BlockRef;
  unsafe: L2BlockRef;
  safe: L2BlockRef;
  chain: readonly ExecutionPayload[];
  /** Thrown in place of an answer of the rollup node. */
  failure: unknown;
  polls: number;
  /** Ranges of blocks that were read. */
  readonly reads: (readonly [from: number, to: number])[];
  /** Called before a poll, and before blocks, are answered. */
  beforePoll: () => Promise<unknown> | undefined;
  beforeRead: () => Promise<unknown> | undefined;
}

/** A scripted sequencer without blocks, with its nodes as the batcher reads them. */
export function scriptedNetwork(fork: ForkName = 'granite') {
  const network = createNetwork(testRollup(fork));
  const { l1, sequencer } = network;
  const rollup = rollupOf({ ...network.rollup.config, ...rollupConfigTimes(forksUpTo(fork)) });
  const head = l1RefOf(l1.head());
  const nodes: ScriptedNodes = {
    config: rollup.config,
    headL1: head,
    currentL1: { ...head, number: 0 },
    unsafe: sequencer.head(),
    safe: sequencer.head(),
    chain: sequencer.chain(),
    failure: undefined,
    polls: 0,
    reads: [],
    beforePoll: () => undefined,
    beforeRead: () => undefined,
  };
  const answered = (result: unknown) => ({ ok: true, result }) as Outcome<never>;
  const noCall = { call: () => Promise.reject(new Error('expected a batch')), close: () => undefined };
  const node: RpcClient = {
    ...noCall,
    async batch() {
      nodes.polls++;
      await nodes.beforePoll();
      if (nodes.failure !== undefined) throw nodes.failure;
      const { headL1: head_l1, currentL1: current_l1, unsafe: unsafe_l2, safe: safe_l2 } = nodes;
      return [answered(nodes.config), answered({ head_l1, current_l1, unsafe_l2, safe_l2 })];
    },
  };
  const execution: RpcClient = {
    ...noCall,
    async batch(requests: readonly Request[]) {
      const numbers = requests.map(({ params }) => Number(params?.[0]));
      nodes.reads.push([numbers[0] ?? Number.NaN, numbers.at(-1) ?? Number.NaN]);
      await nodes.beforeRead();
      return numbers.map((number) => {
        const payload = nodes.chain[number];
        return answered(payload === undefined ? null : blockJson(payload));
      });
    },
  };
  const refOf = (number: number) => l2BlockRef(sequencer.chain()[number] as ExecutionPayload, rollup.config.genesis);
  /** Gives the nodes the present chain. */
  const show = () => {
    nodes.chain = sequencer.chain();
    nodes.unsafe = sequencer.head();
    nodes.headL1 = l1RefOf(l1.head());
  };
  return {
    ...{ network, rollup, nodes, node, execution, refOf, show },
    /** Mines L1 blocks, each with three L2 blocks of one transaction. */
    async grow(l1Blocks: number, salt = 0): Promise<void> {
      for (let block = 0; block < l1Blocks; block++)
        await network.advance({}, (number) => [userTransaction(number + salt)]);
      show();
    },
    /** Mines an L1 block at whose time the sequencer builds nothing. */
    pass(): void {
      nodes.headL1 = { ...nodes.headL1, number: nodes.headL1.number + 1 };
    },
  };
}

interface BatchingOptions {
  readonly fork?: ForkName;
  readonly policy?: Partial<BatcherConfig['policy']>;
  readonly config?: Partial<Omit<BatcherConfig, 'policy'>>;
  readonly parts?: Partial<BatcherDeps>;
  /** L1 blocks of the network before the batcher starts. */
  readonly grown?: number;
}

/** Starts a batch submitter above scripted nodes, whose clock stands between two polls. */
export async function batching({ fork, policy, config, parts, grown = 1 }: BatchingOptions = {}) {
  const scripted = scriptedNetwork(fork);
  await scripted.grow(grown);
  const { log, lines } = memoryLog();
  const { sender, sent } = scriptedSender();
  const manual = manualClock(GENESIS_TIME);
  const marks: TraceMark[] = [];
  const backlog: number[] = [];
  /** Parts of the batcher that are busy; the first one is the queue of submissions, the second one the submitter. */
  const activities: { isBusy: boolean }[] = [];
  let rests = 0;
  const clock = {
    ...manual,
    activity() {
      const state = { isBusy: false };
      activities.push(state);
      const isSubmitter = activities.length === 2;
      return {
        busy() {
          state.isBusy = true;
        },
        idle() {
          state.isBusy = false;
          if (isSubmitter) rests++;
        },
      };
    },
  };
  const submitter = new BatchSubmitter(
    { policy: { ...POLICY, ...policy }, maxTxSize: 100_000, maxPending: 0, pollInterval: POLL_INTERVAL_MS, ...config },
    {
      ...{ rollup: scripted.rollup, sender, log, clock, store: undefined },
      ...{ node: scripted.node, execution: scripted.execution },
      daType: async () => 'calldata',
      ready: async () => {},
      onBacklog: (bytes) => void backlog.push(bytes),
      traces: { isOn: true, mark: (mark) => void marks.push(mark) },
      ...parts,
    },
  );
  /** Resolves when the submitter has rested so many times. */
  const rested = async (times = 1) => {
    for (let turn = 0; rests < times; turn++) {
      if (turn > TURNS_OF_POLL) throw new Error('the submitter does not rest');
      await nextTurn();
    }
    await drain();
  };
  /** Does something, and waits until the submitter rests after it. */
  const polled = async (run: () => void) => {
    const next = rests + 1;
    run();
    await rested(next);
  };
  const move = () => manual.moveTo((manual.now() + POLL_INTERVAL_MS) / 1000);
  return {
    ...{ ...scripted, submitter, sent, lines, marks, backlog, activities, clock: manual, rested, polled },
    /** Lets the submitter poll once. */
    poll: () => polled(move),
    /** Moves the clock to the next poll. */
    move,
    /** Logged lines with some words, without their time. */
    logged: (words: string) =>
      lines.filter((line) => line.includes(words)).map((line) => line.trimEnd().replace(/^t=\S+ lvl=/, '')),
  };
}
