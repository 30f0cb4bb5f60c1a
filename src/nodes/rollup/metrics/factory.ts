import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Namespace of op-node's metrics, which its dashboards use. */
const PREFIX = 'op_node_default_';

/** An event: its count and its last time (op-service: `Event`, `EventVec`). */
export interface EventMetric {
  record(labels?: { readonly type: string }): void;
}

/** Creates metrics in one registry, under the namespace of op-node (op-service: `metrics.Factory`). */
export type MetricFactory = ReturnType<typeof metricFactory>;

export function metricFactory(registry: Registry) {
  const registers = [registry];
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: PREFIX + name, help, labelNames, registers });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name: PREFIX + name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, buckets: number[], labelNames: Label[] = []) =>
    new Histogram({ name: PREFIX + name, help, buckets, labelNames, registers });
  const event = (name: string, what: string, labelNames: 'type'[] = []): EventMetric => {
    const total = counter(`${name}_total`, `Count of ${what}`, labelNames);
    const last = gauge(`last_${name}_unix`, `Time of the last of ${what}, seconds since 1970`, labelNames);
    return {
      record(labels: { readonly type?: string } = {}) {
        total.inc(labels);
        last.setToCurrentTime(labels);
      },
    };
  };
  return { gauge, counter, histogram, event };
}
