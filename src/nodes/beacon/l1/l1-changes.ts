import type { L1Answer, L1Request } from '../../../system/channel/l1-requests.ts';
import type { Mutex } from '../../../system/time/mutex.ts';
import type { ChainStore } from './chain-store.ts';
import type { L1Chain, ReorgRequest } from './l1-chain.ts';
import { changePool } from './pool/pool-faults.ts';
import type { ReorganiseL1 } from './reorganisations.ts';
import type { Stall } from './stall.ts';
import type { ChangeL1 } from './state-changes.ts';

interface ChangesConfig {
  readonly mine: boolean;
  /** Default: arrival. */
  readonly order?: 'arrival' | 'sender';
}

/** What changes of L1 work on. */
interface ChangesParts {
  readonly l1: L1Chain;
  readonly stall: Stall;
  /** Returns the journaled chain. @throws Error if L1 is not in step */
  readonly inStep: () => ChainStore;
  /** Journals the blocks that L1 has made meanwhile. */
  readonly reconcile: () => Promise<void>;
  /** For work that reads or changes both L1 and the journal. */
  readonly runExclusive: Mutex;
}

/** The changes of L1 that are made on request: by the supervisor, and through the gate. */
export class L1Changes {
  readonly #config: ChangesConfig;
  readonly #parts: ChangesParts;

  constructor(config: ChangesConfig, parts: ChangesParts) {
    this.#config = config;
    this.#parts = parts;
  }

  /** Does what the supervisor asks of L1. @throws Error if L1 is not in step */
  async answer(request: L1Request): Promise<L1Answer> {
    if (!this.#config.mine) return { kind: 'refused', why: { kind: 'foreign' } };
    const { stall, l1, runExclusive } = this.#parts;
    // It holds for all blocks but the one under way, which the answer waits for.
    if (request.do === 'stall') stall.set(request.until ?? Number.POSITIVE_INFINITY);
    return runExclusive(async () => {
      switch (request.do) {
        case 'stall':
          return { kind: 'stalled' };
        case 'reorg':
          return this.#reorganise(request);
        default:
          return changePool(l1.faults, request);
      }
    });
  }

  async #reorganise(request: ReorgRequest): Promise<L1Answer> {
    const { l1, reconcile } = this.#parts;
    const { head } = (await this.upToDate()).chain;
    const { order = 'arrival' } = this.#config;
    try {
      return await l1.replaceBlocks({ head, order }, request);
    } finally {
      if ((await l1.headHash()) !== head.hash) await reconcile();
    }
  }

  /** @throws Error if L1 is not in step */
  readonly reorganise: ReorganiseL1 = (depth, call) =>
    this.#parts.runExclusive(async () => {
      const { l1, reconcile } = this.#parts;
      const { head } = (await this.upToDate()).chain;
      const common = head.number - depth;
      // `anvil_reorg` makes blocks at once. The base fee of the first one follows from the common block.
      if (common >= 0) await l1.setNextBaseFee(common);
      try {
        return await call();
      } finally {
        if ((await l1.headHash()) === head.hash) await l1.setNextBaseFee(head.number);
        else await reconcile();
      }
    });

  /** Changes the state of L1 without a transaction, and journals the change. @throws Error if L1 is not in step */
  readonly changeState: ChangeL1 = (call) =>
    this.#parts.runExclusive(async () => {
      const store = await this.upToDate();
      const { result, change } = await call();
      store.change(change);
      return result;
    });

  /** Returns the store if it has L1's newest block. @throws Error if L1 is not in step */
  async upToDate(): Promise<ChainStore> {
    const store = this.#parts.inStep();
    if ((await this.#parts.l1.headHash()) !== store.chain.head.hash) await this.#parts.reconcile();
    return store;
  }
}
