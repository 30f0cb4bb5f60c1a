import type { Span } from './spans.ts';

/** What the resources of all spans have. */
export interface ResourceFacts {
  readonly devnet: string;
  readonly version: string;
  /** OTEL_SERVICE_NAME: the name of the service, in place of the name of each process. */
  readonly service: string | undefined;
  /** OTEL_RESOURCE_ATTRIBUTES. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Numbers of the kinds of spans in OTLP. */
const SPAN_KINDS: Readonly<Record<Span['kind'], number>> = { internal: 1, client: 3, producer: 4, consumer: 5 };

/** Returns the request of OTLP/HTTP in JSON for spans: a resource for each process. */
export function otlpRequest(spans: readonly Span[], facts: ResourceFacts): object {
  const byTask = Map.groupBy(spans, ({ task }) => task);
  return {
    resourceSpans: [...byTask].map(([task, taskSpans]) => ({
      resource: { attributes: attributesOf(resourceOf(task, facts)) },
      scopeSpans: [{ scope: { name: 'rollup-devnet', version: facts.version }, spans: taskSpans.map(spanJson) }],
    })),
  };
}

function resourceOf(task: string, { devnet, version, service, attributes }: ResourceFacts) {
  return {
    ...attributes,
    'service.name': service ?? task,
    'service.namespace': devnet,
    'service.instance.id': task,
    'service.version': version,
  };
}

function spanJson({ trace, id, parent, name, kind, from, to, attributes, links }: Span) {
  return {
    traceId: trace,
    spanId: id,
    ...(parent !== undefined && { parentSpanId: parent }),
    name,
    kind: SPAN_KINDS[kind],
    startTimeUnixNano: nanoseconds(from),
    endTimeUnixNano: nanoseconds(to),
    attributes: attributesOf(attributes),
    links: links.map((link) => ({ traceId: link.trace, spanId: link.span, attributes: [] })),
    status: {},
  };
}

function attributesOf(attributes: Readonly<Record<string, string | number>>) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
}

/** Returns Unix nanoseconds in decimal, which a number cannot hold. */
function nanoseconds(ms: number): string {
  const whole = Math.floor(ms);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1e6)));
}
