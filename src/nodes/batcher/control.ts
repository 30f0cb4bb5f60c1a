import type { Rollup } from '../../protocol/derivation/ports.ts';
import type { Store } from './alt-da.ts';
import type { DaTypeChoice } from './da-type-choice.ts';
import { type BatcherConfig, type BatcherDeps, BatchSubmitter } from './driver.ts';
import type { BatcherControl } from './methods.ts';
import type { DataAvailabilityType } from './options/da-type.ts';
import { MAX_BLOBS } from './options/tx-data.ts';

/** Settings of the driver, and the parts that its batch submitters work with. */
export interface BatcherDriverOptions
  extends Omit<BatcherDeps, 'rollup' | 'daType' | 'onBacklog' | 'store'>,
    Pick<BatcherControl, 'version' | 'throttling' | 'log'> {
  /** Waits for `admin_startBatcher`. */
  readonly isStopped: boolean;
  readonly daType: DaTypeChoice;
  /** Creates the store of one submitter; undefined: the data is on L1. */
  readonly createStore: (() => Store) | undefined;
}

/** Starts and stops batching, once the nodes are connected (op-batcher: `BatcherDriver`). */
export class BatcherDriver implements BatcherControl {
  readonly version: string;
  readonly log: BatcherControl['log'];
  readonly throttling: BatcherControl['throttling'];
  readonly #config: BatcherConfig;
  readonly #options: BatcherDriverOptions;
  #isStarted: boolean;
  #rollup: Rollup | undefined;
  #submitter: BatchSubmitter | undefined;

  constructor(config: BatcherConfig, options: BatcherDriverOptions) {
    this.#config = config;
    this.#options = options;
    this.#isStarted = !options.isStopped;
    this.version = options.version;
    this.log = options.log;
    this.throttling = options.throttling;
  }

  /** Whether it batches, or will once it is connected. */
  get running(): boolean {
    return this.#isStarted;
  }

  get dataAvailability(): DataAvailabilityType {
    return this.#options.daType.setting;
  }

  /** Sets the rollup that the connected nodes are of, and begins. */
  connect(rollup: Rollup): void {
    this.#rollup = rollup;
    if (this.#isStarted) this.#begin();
  }

  start(): void {
    this.#isStarted = true;
    this.#begin();
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    const submitter = this.#submitter;
    this.#submitter = undefined;
    await submitter?.stop();
    this.log.info('Batcher stopped');
  }

  /** Stops what runs, at the end of the program. */
  async end(): Promise<void> {
    await this.#submitter?.stop();
  }

  flush(): void {
    this.#submitter?.flush();
  }

  setDataAvailability(type: DataAvailabilityType): void {
    const { createStore, daType } = this.#options;
    const { targetNumFrames } = this.#config.policy;
    if (type !== 'calldata' && createStore !== undefined)
      throw new Error('with --altda.enabled commitments are posted, in calldata');
    if (type !== 'calldata' && targetNumFrames > MAX_BLOBS)
      throw new Error(`--target-num-frames is ${targetNumFrames}, with blobs it must be at most ${MAX_BLOBS}`);
    daType.setting = type;
    this.#submitter?.reopen();
    this.log.info('What carries channels was changed', { carrier: type });
  }

  #begin(): void {
    if (this.#rollup === undefined || this.#submitter !== undefined) return;
    const { daType, sender, createStore } = this.#options;
    this.#submitter = new BatchSubmitter(this.#config, {
      ...this.#options,
      rollup: this.#rollup,
      store: createStore?.(),
      daType: () => daType.next(),
      onBacklog: (bytes) => this.throttling?.load(bytes),
    });
    this.log.info('Batcher runs', { address: sender.address, carrier: daType.setting });
  }
}
