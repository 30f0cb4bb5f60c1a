import * as z from 'zod/mini';
import type { EngineAddress, Passage } from '../engine/engine.ts';

/** What the program of a tunnel does. Its only argument, as JSON. */
export interface TunnelOrder {
  readonly address: EngineAddress;
  readonly passages: readonly Passage[];
  /** The file of each unit's output. */
  readonly logs: readonly { readonly unit: string; readonly path: string }[];
}

const text = z.string();

const schema: z.ZodMiniType<TunnelOrder> = z.object({
  address: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('kubernetes'), files: z.array(text), context: text, namespace: text }),
    z.object({
      kind: z.literal('docker'),
      context: text,
      host: text,
      certificates: z.exactOptional(text),
      skipTlsVerify: z.exactOptional(z.literal(true)),
      agent: z.exactOptional(text),
      found: z.exactOptional(z.object({ kind: z.enum(['compose', 'stack']), name: text, network: text, image: text })),
    }),
  ]),
  passages: z.array(z.object({ unit: text, port: z.number(), local: z.number() })),
  logs: z.array(z.object({ unit: text, path: text })),
});

/** Reads the argument of a tunnel's program. @throws Error if it is none */
export function readTunnelOrder(argument: string): TunnelOrder {
  return schema.parse(JSON.parse(argument));
}

/** Line by which a tunnel says that its ports are open. */
export const TUNNEL_OPEN = 'the tunnel is open';
