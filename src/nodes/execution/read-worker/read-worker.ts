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

/** When the read worker answers reads: under load, always or never. */
export type ReadWorkerMode = 'when-busy' | 'always' | 'never';

/** Options of the read worker. */
export interface ReadWorkerOptions {
  readonly mode: ReadWorkerMode;
  /** Milliseconds without a request after which the worker ends and frees its memory. */
  readonly idle: number;
  /** Milliseconds between checkpoints of the write-ahead log. The main thread reads during a checkpoint. */
  readonly checkpointInterval: number;
  /** Size of the write-ahead log in bytes above which it is truncated. The worker pauses for it. */
  readonly maxWalBytes: number;
}

export const READ_WORKER_DEFAULTS: ReadWorkerOptions = {
  mode: 'when-busy',
  idle: 60_000,
  checkpointInterval: 5000,
  maxWalBytes: 64 * 1024 * 1024,
};

/**
 * Routes methods that only read: to the main thread, or under load to a worker thread with its own connection.
 * Every announced block is committed before it is announced, so both threads see it.
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
  /** The worker runs a checkpoint or is about to, and answers no request before its end. */
  #isCheckpointing = false;
  /** No worker starts any more: the node closes, or a worker failed to start. */
  #isOver = false;
  #next = 0;
  /** Reads in progress on the main thread. */
  #underWay = 0;
  #asked = 0;

  constructor(context: ReadContext & { readonly log: Logger }, options: ReadWorkerOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** Returns the same methods. Those that only read are routed between the threads. */
  route(table: MethodTable<NodeContext>): MethodTable<NodeContext> {
    if (this.#options.mode === 'never') return table;
    return Object.fromEntries(
      Object.entries(table).map(([name, entry]) => [name, READS[name] === entry ? this.#readable(name, entry) : entry]),
    );
  }

  /** Whether the worker runs. */
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
        if (this.#isReady && !this.#isCheckpointing && !isHere) return this.#ask(name, params);
        const here = () => this.#here(name, async () => entry.handle(context, params, call));
        if (this.#options.mode === 'always' && !this.#isOver)
          return this.#start().then(() => (this.#isReady && !this.#isCheckpointing ? this.#ask(name, params) : here()));
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

  /** Resolves when the worker is ready, has failed to start or is about to end. */
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
      else if (message.kind === 'kept') this.#isCheckpointing = false;
      else if (message.kind === 'quiet') this.#truncateLog();
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
    if (this.#isReady) log.debug('read worker started');
    this.#asked = performance.now();
    this.#watchIdle();
    this.#watchCheckpoints();
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

  /** Checkpoints run in the worker: one of 16 MB takes 100 ms. */
  #watchCheckpoints(): void {
    const thread = this.#thread;
    const timer = setInterval(() => {
      if (!this.#isReady || this.#thread !== thread) return clearInterval(timer);
      if (this.#isCheckpointing) return;
      this.#isCheckpointing = true;
      thread?.post({ kind: 'log' });
    }, this.#options.checkpointInterval);
    timer.unref();
  }

  /** Truncates the write-ahead log while the worker pauses. Only the last milliseconds of it are left to copy. */
  #truncateLog(): void {
    this.#context.chain.store.checkpoint();
    this.#isCheckpointing = false;
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

  /** Handles the end of the worker. A later overload starts another, unless this one failed to start. */
  #forget(error: Error | undefined): void {
    if (!this.#isReady && error !== undefined) this.#isOver = true;
    this.#isReady = false;
    this.#isCheckpointing = false;
    this.#thread = undefined;
    this.#starting = undefined;
    if (error !== undefined) this.#context.log.error('the read worker failed', { error });
    for (const { reject } of this.#pending.values())
      reject(new Error(`the read worker ended${error === undefined ? '' : `: ${error.message}`}`));
    this.#pending.clear();
  }
}
