import * as z from 'zod';
import { RPC_CODE, RpcError } from '../../../../rpc/error.ts';
import type { TraceBehaviour } from '../behaviour.ts';
import type { ResponseSizeLimit } from '../response-size-limit.ts';
import type { TraceOptions } from '../trace-options.ts';
import type { Tracer } from '../tracer.ts';
import { CallTracer, callTracerConfig } from './call-tracer.ts';
import { FourByteTracer } from './four-byte-tracer.ts';
import { MuxTracer } from './mux-tracer.ts';
import { NoopTracer } from './noop-tracer.ts';
import { PrestateTracer, prestateTracerConfig } from './prestate-tracer.ts';
import { StructLogger } from './struct-logger.ts';

/** Tracers by name, each created from its `tracerConfig` (geth: `DefaultDirectory`). */
const TRACERS: Readonly<
  Record<string, (config: unknown, behaviour: TraceBehaviour, sizeLimit: ResponseSizeLimit) => Tracer>
> = {
  callTracer: (config, behaviour, sizeLimit) => new CallTracer(read(callTracerConfig, config), behaviour, sizeLimit),
  prestateTracer: (config, behaviour) => new PrestateTracer(read(prestateTracerConfig, config), behaviour),
  '4byteTracer': (_, { precompileSelectors }) => new FourByteTracer(precompileSelectors),
  noopTracer: () => new NoopTracer(),
  muxTracer: (config, behaviour, sizeLimit) => {
    const parts = Object.entries(read(z.record(z.string(), z.unknown()), config));
    return new MuxTracer(new Map(parts.map(([name, part]) => [name, tracerByName(name, part, behaviour, sizeLimit)])));
  },
};

const TRACER_NAMES: readonly string[] = Object.keys(TRACERS);

/**
 * Creates the tracer that the options name. Default: the struct logger.
 * @throws RpcError on an unknown name or a bad configuration
 */
export function tracerOf(options: TraceOptions, behaviour: TraceBehaviour, sizeLimit: ResponseSizeLimit): Tracer {
  return options.tracer == null
    ? new StructLogger(options, behaviour, sizeLimit)
    : tracerByName(options.tracer, options.tracerConfig, behaviour, sizeLimit);
}

function tracerByName(name: string, config: unknown, behaviour: TraceBehaviour, sizeLimit: ResponseSizeLimit): Tracer {
  const make = Object.hasOwn(TRACERS, name) ? TRACERS[name] : undefined;
  if (make === undefined)
    throw new RpcError(
      RPC_CODE.server,
      `tracer ${JSON.stringify(name)} is not served; served are ${TRACER_NAMES.join(', ')}`,
    );
  return make(config ?? {}, behaviour, sizeLimit);
}

function read<Schema extends z.ZodType>(schema: Schema, config: unknown): z.output<Schema> {
  const parsed = schema.safeParse(config ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new RpcError(RPC_CODE.invalidParams, `invalid tracerConfig: ${issue?.path.join('.')} ${issue?.message}`);
}
