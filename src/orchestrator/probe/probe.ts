import type * as z from 'zod/mini';
import type { key, withDescription } from '../spec/schema/words.ts';

/** What schemas are made of. Handed in, because planning and running a network load no schema library. */
export interface Words {
  readonly z: typeof z;
  readonly withDescription: typeof withDescription;
  readonly key: typeof key;
}

/** What a probe found: it holds, there is no answer, or the answer is not the expected one. */
export type Finding =
  | { readonly kind: 'ok' }
  | { readonly kind: 'unreachable'; readonly detail: string }
  | { readonly kind: 'mismatch'; readonly detail: string };

/** What probes need of the process that they are about. */
export interface ProbeSubject {
  readonly log: string;
  /** Bytes of the log that were written before this process. */
  readonly logStart: number;
  readonly exitCode: number | null | undefined;
}

/** One request of a probe. */
export interface ProbeCall<Planned> {
  readonly probe: Planned;
  readonly subject: ProbeSubject;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** What planning gives a probe: the values of its references and the process's place in the network. */
export interface ProbeContext {
  /** Renders a text with references. */
  text(written: string): string;
  /** Renders the texts in a value; absent references become null. */
  value(written: unknown): unknown;
  /** Address of a port by its name, undefined if the port is closed. */
  port(name: string): { readonly host: string; readonly port: number } | undefined;
  /** Peers that the process is given. */
  readonly peers: number;
}

/** How templates write a kind of probe: its own keys and `description`. */
type Written<Shape extends z.core.$ZodShape> = z.ZodMiniObject<
  Shape & { description: z.ZodMiniExactOptional<z.ZodMiniString> },
  z.core.$strict
>;

interface Definition<Name extends string, Shape extends z.core.$ZodShape, Planned extends { readonly kind: Name }> {
  /** Also the key by which a template names the kind. */
  readonly name: Name;
  /** Makes the keys that a template writes. */
  written(words: Words): Shape;
  /** Makes the probe of a plan; undefined if the process has nothing to be asked. */
  plan(written: z.output<Written<Shape>>, context: ProbeContext): Planned | undefined;
  /** Asks once. Never throws: what goes wrong is a finding. */
  check(call: ProbeCall<Planned>): Promise<Finding>;
}

/** Defines a kind of probe: how templates write it, how it is planned, how it asks. */
export function probeKind<
  const Name extends string,
  Shape extends z.core.$ZodShape,
  Planned extends { readonly kind: Name },
>({ name, written, plan, check }: Definition<Name, Shape, Planned>) {
  const isWritten = (probe: object): probe is z.output<Written<Shape>> => name in probe;
  const isPlanned = (probe: { readonly kind: string }): probe is Planned => probe.kind === name;
  return {
    name,
    /** Makes the schema of the kind in templates. */
    schema: (words: Words): Written<Shape> =>
      words.z.strictObject({
        ...written(words),
        description: words.key(words.z.string('text'), 'what holds when the probe holds, for messages'),
      }),
    /** See {@link Definition.plan}; undefined for a probe of another kind too. */
    plan: (probe: object, context: ProbeContext) => (isWritten(probe) ? plan(probe, context) : undefined),
    /** Asks once; undefined for a probe of another kind. */
    ask: ({ probe, ...call }: ProbeCall<{ readonly kind: string }>) =>
      isPlanned(probe) ? check({ ...call, probe }) : undefined,
  };
}

export const OK: Finding = { kind: 'ok' };

/** Makes the finding that there is no answer. */
export function unreachable(detail: string): Finding {
  return { kind: 'unreachable', detail };
}

/** Makes the finding that the answer is not the expected one. */
export function mismatch(detail: string): Finding {
  return { kind: 'mismatch', detail };
}
