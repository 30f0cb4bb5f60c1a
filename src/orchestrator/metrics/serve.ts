import { end, type RunningServer } from '../../rpc/server/listener.ts';
import { messageOf } from '../../system/failure.ts';
import { serveLocally } from '../control/serve-locally.ts';
import type { TargetGroup } from './targets.ts';

/** Port of the metrics if it is free. */
const PREFERRED_PORT = 9501;

/** Time (ms) for which a measurement answers further requests: a flood of them measures once. */
const MAX_MEASUREMENT_AGE_MS = 500;

export interface MetricsSource {
  readonly contentType: string;
  /** Measures the network. */
  text(): Promise<string>;
  targets(): readonly TargetGroup[];
}

/**
 * Serves `/metrics` and `/targets` on loopback.
 * @param fresh time (ms) for which one measurement answers
 * @throws Failure `port`
 */
export function serveMetrics(
  port: number | undefined,
  source: MetricsSource,
  fresh = MAX_MEASUREMENT_AGE_MS,
): Promise<RunningServer> {
  const measured = once(() => source.text(), fresh);
  return serveLocally({ exact: port, first: PREFERRED_PORT }, async ({ url = '/', method }, response) => {
    if (method !== 'GET' && method !== 'HEAD') return end(response, 405, 'expected GET\n', { allow: 'GET, HEAD' });
    try {
      const [path] = url.split('?');
      if (path === '/metrics') end(response, 200, await measured(), { 'content-type': source.contentType });
      else if (path === '/targets')
        end(response, 200, JSON.stringify(source.targets()), { 'content-type': 'application/json' });
      else end(response, 404, 'expected /metrics, or /targets for the service discovery of Prometheus\n');
    } catch (error) {
      end(response, 503, `${messageOf(error)}\n`);
    }
  });
}

/** Shares one answer between all calls until it is `fresh` milliseconds old. */
export function once<T>(work: () => Promise<T>, fresh: number): () => Promise<T> {
  let last: { readonly at: number; readonly result: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (last !== undefined && now - last.at < fresh) return last.result;
    const result = work();
    last = { at: now, result };
    // The age of an answer counts from its arrival: until then, further calls wait for it.
    const arrived = () => {
      if (last?.result === result) last = { at: performance.now(), result };
    };
    last = { at: Number.POSITIVE_INFINITY, result };
    void result.then(arrived, arrived);
    return result;
  };
}
