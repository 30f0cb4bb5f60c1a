import type { ServerResponse } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Logger } from '../../../system/program/log.ts';
import type { ListenAddress } from '../../service/host-origin.ts';
import { listen } from '../../service/listen.ts';
import { createMeter } from './meter.ts';
import type { Metricer } from './metricer.ts';
import { metricsIn } from './names.ts';
import { RefMetrics } from './ref-metrics.ts';
import { collectState, type MetricsSource } from './scrape.ts';

/** The metrics and their server (op-node: `Metrics`). */
export interface Metrics {
  readonly meter: Metricer;
  /** Serves `/metrics`. @throws Failure `listen` on a port that is taken */
  start(place: ListenAddress, source: MetricsSource): Promise<{ readonly port: number; close(): Promise<void> }>;
}

/** Properties of the measured node. */
export interface MetricsOptions {
  readonly version: string;
  /** Seconds. */
  readonly blockTime: number;
  /** Network clock, milliseconds. */
  readonly now: () => number;
  readonly log: Logger;
}

/** Creates the metrics in Prometheus' text format, under op-node's names (op-node: `NewMetrics`). */
export function createMetrics({ version, blockTime, now, log }: MetricsOptions): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const metrics = metricsIn(registry);
  metrics.info.set({ version }, 1);
  const refs = new RefMetrics(metrics, now);

  async function scrape(source: MetricsSource, response: ServerResponse): Promise<void> {
    try {
      await collectState(metrics, refs, source);
      const body = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType });
      response.end(body);
    } catch (error) {
      log.warn('cannot tell the metrics', { error });
      response.writeHead(500).end();
    }
  }

  return {
    meter: createMeter(metrics, refs, blockTime),
    async start(place, source) {
      const server = await listen('metrics.port', {
        ...place,
        http: false,
        methods: {},
        context: undefined,
        // Prometheus' own servers answer at any path.
        route(_request, response) {
          void scrape(source, response);
          return true;
        },
      });
      metrics.up.set(1);
      log.info('metrics listen', { port: server.port });
      return server;
    },
  };
}
