import { RpcError } from '../../../rpc/error.ts';
import { JsonText } from '../../../rpc/json-text.ts';
import type { Method, MethodTable } from '../../../rpc/method.ts';
import { entryPoint } from '../../../system/entry.ts';
import type { Logger } from '../../../system/log.ts';
import type { Thread } from '../../../system/thread.ts';
import type { NodeContext, ReadContext } from '../context.ts';
import { READS } from '../methods/namespaces.ts';
import { EventLoopLoad } from './event-loop-load.ts';
import { MainThreadShare } from './main-thread-share.ts';
import type { FromWorker, ReadResponse, ReadWorkerConfig, ToWorker } from './messages.ts';

interface Pending {
  readonly method: string;
  resolve(result: JsonText): void;
  reject(error: Error): void;
}

/** When requests are read in a thread of their own: while the main thread has much to do, all of them, none. */
export type ReadWorkerMode = 'when-busy' | 'always' | 'never';

/** How the thread is used. */
export interface ReadWorkerOptions {
  readonly mode: ReadWorkerMode;
  /** Milliseconds without a request after which the thread ends and its memory is free. */
  readonly idle: number;
  /** Milliseconds after which the thread brings the write-ahead log into the file; requests are read on the main thread meanwhile. */
  readonly checkpointInterval: number;
  /** Bytes of the write-ahead log past which it is emptied; for that the thread ends all that it reads. */
  readonly maxWalBytes: number;
}

export const READ_WORKER_DEFAULTS: ReadWorkerOptions = {
  mode: 'when-busy',
  idle: 60_000,
  checkpointInterval: 5000,
  maxWalBytes: 64 * 1024 * 1024,
};

/**
 * Where requests are answered that only read. On the main thread, until that has so much to do that they and the blocks hold each other up; then
 * in a thread of their own, which has the chain's file open too. All that was announced is in that file before anybody is told.
 */
export class ReadWorker {
  readonly #context: ReadContext & { readonly log: Logger };
  readonly #options: ReadWorkerOptions;
  readonly #load = new EventLoopLoad();
  readonly #share = new MainThreadShare();
  readonly #pending = new Map<number, Pending>();
  #thread: Thread<ToWorker> | undefined;
  #starting: Promise<void> | undefined;
  #isReady = false;
  /** The thread is about to bring the log into the file, or does, and comes to no request before it has. */
  #isAway = false;
  /** No thread is started any more: the node closes, or one could not begin. */
  #isOver = false;
  #next = 0;
  /** Requests that the main thread reads for. */
  #underWay = 0;
  #asked = 0;

  constructor(context: ReadContext & { readonly log: Logger }, options: ReadWorkerOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** The same methods; those that only read are answered wherever it is better. */
  over(table: MethodTable<NodeContext>): MethodTable<NodeContext> {
    if (this.#options.mode === 'never') return table;
    return Object.fromEntries(
      Object.entries(table).map(([name, entry]) => [name, READS[name] === entry ? this.#readable(name, entry) : entry]),
    );
  }

  /** Whether a thread reads now. */
  get isRunning(): boolean {
    return this.#isReady;
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#starting;
    await this.#stop();
  }

  #readable(name: string, entry: Method<NodeContext>): Method<NodeContext> {
    return {
      ...entry,
      handle: (context, params, call) => {
        const isHere = this.#options.mode === 'when-busy' && this.#share.has(name);
        if (this.#isReady && !this.#isAway && !isHere) return this.#ask(name, params);
        const here = () => this.#here(name, async () => entry.handle(context, params, call));
        if (this.#options.mode === 'always' && !this.#isOver)
          return this.#start().then(() => (this.#isReady && !this.#isAway ? this.#ask(name, params) : here()));
        if (this.#load.isOverloaded(this.#underWay > 0 || context.engine.isBusy)) void this.#start();
        return here();
      },
    };
  }

  async #here<Result>(method: string, work: () => Promise<Result>): Promise<Result> {
    const begun = performance.now();
    this.#underWay++;
    try {
      return await work();
    } finally {
      this.#underWay--;
      this.#share.spent(method, performance.now() - begun);
    }
  }

  #ask(method: string, params: readonly unknown[]): Promise<JsonText> {
    const id = this.#next++;
    this.#asked = performance.now();
    return new Promise((resolve, reject) => {
      this.#thread!.post({ kind: 'read', id, method, params });
      this.#pending.set(id, { method, resolve, reject });
    });
  }

  /** Resolves when a thread reads, or none does because it could not begin or is about to end. */
  #start(): Promise<void> {
    if (!this.#isOver) this.#starting ??= this.#begin().catch((error: Error) => this.#forget(error));
    return this.#starting ?? Promise.resolve();
  }

  async #begin(): Promise<void> {
    const { chain, flavour, limits, log } = this.#context;
    const { startThread } = await import('../../../system/thread.ts');
    const config: ReadWorkerConfig = {
      file: chain.store.share(),
      definition: chain.definition.text,
      schedule: chain.schedule,
      flavour: flavour.name,
      limits,
      isPruned: chain.stateRetention !== undefined,
      maxWalBytes: this.#options.maxWalBytes,
    };
    let ready = () => {};
    const isUp = new Promise<void>((resolve) => {
      ready = resolve;
    });
    const thread = startThread<ToWorker, FromWorker>(entryPoint('execution-reader'), config, (message) => {
      if (message.kind === 'ready') ready();
      else if (message.kind === 'kept') this.#isAway = false;
      else if (message.kind === 'quiet') this.#emptyLog();
      else this.#settle(message);
    });
    this.#thread = thread;
    void thread.ended.then((error) => {
      if (!this.#isOver) chain.store.unshare();
      this.#forget(error);
      ready();
    });
    await isUp;
    this.#isReady = this.#thread === thread;
    if (this.#isReady) log.debug('reading in a thread of its own');
    this.#asked = performance.now();
    this.#watchIdle();
    this.#watchLog();
  }

  #watchIdle(): void {
    const { idle } = this.#options;
    const thread = this.#thread;
    const timer = setTimeout(() => {
      if (!this.#isReady || this.#thread !== thread) return;
      if (this.#pending.size === 0 && performance.now() - this.#asked >= idle) void this.#stop();
      else this.#watchIdle();
    }, idle);
    timer.unref();
  }

  /** A commit that brings 16 MB of log into the file keeps its thread for 100 ms: better this one than the main thread. */
  #watchLog(): void {
    const thread = this.#thread;
    const timer = setInterval(() => {
      if (!this.#isReady || this.#thread !== thread) return clearInterval(timer);
      if (this.#isAway) return;
      this.#isAway = true;
      thread?.post({ kind: 'log' });
    }, this.#options.checkpointInterval);
    timer.unref();
  }

  /** Nobody reads in the thread until it is told to go on; what the log still holds came in the last milliseconds. */
  #emptyLog(): void {
    this.#context.chain.store.checkpoint();
    this.#isAway = false;
    this.#thread?.post({ kind: 'resume' });
  }

  #settle(answer: ReadResponse): void {
    const pending = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if (answer.kind === 'result') {
      if (pending !== undefined) this.#share.seen(pending.method, answer.took);
      pending?.resolve(new JsonText(answer.text));
    } else if (answer.kind === 'failed') pending?.reject(answer.error);
    else pending?.reject(new RpcError(answer.code, answer.message, answer.data));
  }

  async #stop(): Promise<void> {
    this.#isReady = false;
    await this.#thread?.stop();
  }

  /** The thread has ended. The next one is started as the first was, unless that one could not even begin. */
  #forget(error: Error | undefined): void {
    if (!this.#isReady && error !== undefined) this.#isOver = true;
    this.#isReady = false;
    this.#isAway = false;
    this.#thread = undefined;
    this.#starting = undefined;
    if (error !== undefined) this.#context.log.error('the reading thread failed', { error });
    for (const { reject } of this.#pending.values())
      reject(new Error(`the reading thread ended${error === undefined ? '' : `: ${error.message}`}`));
    this.#pending.clear();
  }
}
