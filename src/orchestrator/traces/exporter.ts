import { redactUrl } from '../../rpc/client/client.ts';
import { messageOf } from '../../system/failure.ts';
import { VERSION } from '../../system/program/common-options.ts';
import type { TraceService } from '../channel/trace-service.ts';
import type { Problem } from '../state/problem.ts';
import { TraceBook } from './book.ts';
import { otlpRequest } from './otlp.ts';
import type { TraceSettings } from './settings.ts';
import { type Span, spansOf } from './spans.ts';

/** Time (ms) between two requests. */
const INTERVAL_MS = 1000;
/** Blocks and batches whose marks are kept: later marks of older ones are lost. */
const CAPACITY = 5000;
/** Spans that wait for an endpoint that does not answer: the oldest are dropped. */
const MAX_WAITING = 20_000;
/** Spans of one request. */
const MAX_SPANS = 2000;
/** Time (ms) that the end of a network waits for the last request. */
const LAST_MS = 500;

/** Answers after which the same request is sent again (OTLP/HTTP, retryable response codes). */
const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** The collector does not take a request, whenever it is sent. */
class RefusedError extends Error {}

interface ExporterIo {
  readonly devnet: string;
  readonly traces: Pick<TraceService, 'follow'>;
  /** Called with the problem of the collector, once for each cause in a row; undefined: it takes spans again. */
  readonly report: (problem: Problem | undefined) => void;
}

/** Sends the spans of each block to a collector, by OTLP/HTTP in JSON. */
export class TraceExporter {
  readonly #settings: TraceSettings;
  readonly #io: ExporterIo;
  readonly #book = new TraceBook(CAPACITY);
  /** Ids of spans that are sent or wait, by block or batch. */
  readonly #sent = new Map<string, Set<string>>();
  /** Blocks whose spans were not complete at the last collection. */
  #open: ReadonlySet<string> = new Set();
  readonly #waiting: Span[] = [];
  #sending: Promise<void> | undefined;
  #trouble: Problem | undefined;
  readonly #unfollow: () => void;
  readonly #timer: NodeJS.Timeout;
  /** Aborts the request under way when the network has ended. */
  readonly #ending = new AbortController();

  readonly #lastMs: number;

  /** `every`: time (ms) between two requests. `lastMs`: time that the end waits for the last one. */
  constructor(settings: TraceSettings, io: ExporterIo, { every = INTERVAL_MS, lastMs = LAST_MS } = {}) {
    this.#settings = settings;
    this.#io = io;
    this.#lastMs = lastMs;
    this.#unfollow = io.traces.follow((task, mark) => this.#book.add(task, mark));
    this.#timer = setInterval(() => this.#look(false), every).unref();
  }

  /** Sends what is left, within the time for it. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#unfollow();
    const late = new Promise<void>((resolve) => setTimeout(resolve, this.#lastMs));
    const last = (async () => {
      await this.#sending;
      this.#look(true);
      await this.#sending;
    })();
    await Promise.race([last, late]);
    this.#ending.abort();
  }

  /** Collects the spans that are over. A block that has had a whole interval is settled. */
  #look(isLast: boolean): void {
    const before = this.#open;
    const touched = new Set([...before, ...this.#book.takeTouched()]);
    this.#open = new Set([...touched].filter((of) => !this.#collect(of, isLast || before.has(of))));
    const surplus = this.#waiting.length - MAX_WAITING;
    if (surplus > 0) this.#waiting.splice(0, surplus);
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
  }

  /** Queues the new spans of a block or batch. Returns whether all marks that it has are spans now: it is settled. */
  #collect(of: string, isSettled: boolean): boolean {
    const traced = this.#book.get(of);
    if (traced === undefined) return true;
    const sent = this.#sent.get(of) ?? new Set();
    this.#sent.set(of, sent);
    const [oldest] = this.#sent.keys();
    if (this.#sent.size > CAPACITY && oldest !== undefined) this.#sent.delete(oldest);
    const spans = spansOf(this.#book, traced, isSettled || sent.size > 0);
    for (const span of spans) {
      if (sent.has(span.id)) continue;
      sent.add(span.id);
      this.#waiting.push(span);
    }
    return isSettled;
  }

  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const spans = this.#waiting.slice(0, MAX_SPANS);
      try {
        await this.#post(spans);
      } catch (error) {
        this.#tell(error);
        // The collector does not want these spans, now or later.
        if (!(error instanceof RefusedError)) return;
      }
      const sent = new Set(spans);
      const rest = this.#waiting.filter((span) => !sent.has(span));
      this.#waiting.splice(0, this.#waiting.length, ...rest);
    }
  }

  async #post(spans: readonly Span[]): Promise<void> {
    const { url, headers, timeoutMs } = this.#settings;
    const facts = { ...this.#settings, devnet: this.#io.devnet, version: VERSION };
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(otlpRequest(spans, facts)),
      signal: AbortSignal.any([this.#ending.signal, AbortSignal.timeout(timeoutMs)]),
    });
    await response.body?.cancel();
    const answer = `it answered ${response.status}`;
    if (!response.ok)
      throw RETRIED.has(response.status) ? new Error(answer) : new RefusedError(`${answer}, so these spans are lost`);
    if (this.#trouble !== undefined) this.#io.report(undefined);
    this.#trouble = undefined;
  }

  #tell(error: unknown): void {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const because = messageOf(cause);
    if (because === this.#trouble?.because) return;
    const what = `cannot be sent to ${redactUrl(this.#settings.url)}`;
    this.#trouble = { subject: 'traces', what, because, since: this.#trouble?.since ?? Date.now() };
    if (!this.#ending.signal.aborted) this.#io.report(this.#trouble);
  }
}
