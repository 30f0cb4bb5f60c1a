import type { ClientKind } from '../spec/client.ts';
import type { OmittedKeys } from '../spec/spec.ts';
import { parseSeconds } from '../spec/values.ts';
import { type TemplateData, withOverrides } from './overrides.ts';
import { insteadOf } from './references.ts';
import type {
  ArgumentTemplate,
  ClientTemplate,
  OptionsTemplate,
  PortTemplate,
  ProbeTemplate,
  Text,
} from './template.ts';
import { parseText, referencesIn } from './text.ts';

type Argument = string | number | boolean | null | readonly string[];
interface Options {
  readonly args?: Readonly<Record<string, Argument>>;
  readonly env?: Readonly<Record<string, string | number | boolean>>;
}

/** A template's document, its shape checked. */
export interface TemplateDocument extends Options {
  readonly kind: ClientKind;
  readonly implementation: string;
  readonly engineKind?: string;
  readonly runs: { readonly embedded?: string; readonly process?: string | null };
  readonly version?: readonly string[];
  readonly booleans?: 'bare' | 'value';
  readonly command?: readonly string[];
  readonly sequencer?: Options;
  readonly verifier?: Options;
  readonly prepare?: readonly (Options & {
    readonly command?: readonly string[];
    readonly operands?: readonly string[];
  })[];
  readonly rewind?: Omit<Options, 'env'> & { readonly command?: readonly string[] };
  readonly omit?: OmittedKeys;
  readonly ports: Readonly<Record<string, 'tcp' | 'udp' | Partial<PortTemplate>>>;
  readonly refuses?: Readonly<Record<string, string>>;
  readonly needs?: ClientTemplate['needs'];
  readonly forks?: ClientTemplate['forks'];
  readonly upgradeBundles?: ClientTemplate['upgradeBundles'];
  readonly until?: string;
  readonly clock: ClientTemplate['clock'];
  readonly pace?: {
    readonly l1Blocks?: string;
    readonly every?: string;
    readonly atLeast?: string;
    readonly safeWith?: string;
  };
  readonly polls?: { readonly l1Head?: string; readonly l1Finality?: string };
  readonly harmless?: readonly string[];
  readonly firstBlock?: { readonly rpc: string; readonly method: string; readonly head: string };
  readonly ready: readonly Readonly<Record<string, unknown>>[];
  readonly live?: readonly Readonly<Record<string, unknown>>[];
  readonly stop: {
    readonly signal?: ClientTemplate['stop']['signal'];
    readonly again?: string;
    readonly grace: string;
  };
}

/** The template of a checked document. */
export function buildTemplate(name: string, document: TemplateDocument): ClientTemplate {
  const options = optionsOf(document);
  const roles = { sequencer: optionsOf(document.sequencer ?? {}), verifier: optionsOf(document.verifier ?? {}) };
  const { embedded, process } = document.runs;
  const data: TemplateData = {
    name,
    kind: document.kind,
    implementation: document.implementation,
    engineKind: document.engineKind ?? null,
    runs: {
      ...(embedded === undefined ? {} : { embedded }),
      ...(process === undefined ? {} : { process: process === null ? null : parseText(process) }),
    },
    runtimes: [
      ...(embedded === undefined ? [] : ['embedded' as const]),
      ...(process === undefined ? [] : ['process' as const]),
    ],
    needsBinary: process === null,
    program: typeof process === 'string' && referencesIn(parseText(process)).length === 0 ? process : null,
    version: document.version === undefined ? null : document.version.map(parseText),
    booleans: document.booleans ?? 'value',
    command: (document.command ?? []).map(parseText),
    ...options,
    ...roles,
    prepare: (document.prepare ?? []).map(({ command, args, operands }) => ({
      command: (command ?? []).map(parseText),
      args: argumentsOf(args ?? {}),
      operands: (operands ?? []).map(parseText),
    })),
    ...(document.rewind === undefined
      ? {}
      : {
          rewind: {
            command: (document.rewind.command ?? []).map(parseText),
            args: argumentsOf(document.rewind.args ?? {}),
          },
        }),
    omit: document.omit ?? {},
    dials: dials(document),
    ports: Object.fromEntries(
      Object.entries(document.ports).map(([port, value]): [string, PortTemplate] => [
        port,
        typeof value === 'string' ? { transport: value } : { transport: 'tcp', ...value },
      ]),
    ),
    portNames: Object.keys(document.ports),
    refusedArguments: document.refuses ?? {},
    ownArguments: ownArguments([options, roles.sequencer, roles.verifier]),
    needs: document.needs ?? {},
    forks: document.forks ?? {},
    upgradeBundles: document.upgradeBundles ?? 'none',
    until: document.until ?? null,
    clock: document.clock,
    pace:
      document.pace === undefined
        ? null
        : {
            l1Blocks: document.pace.l1Blocks ?? null,
            every: document.pace.every ?? null,
            atLeastMs: milliseconds(document.pace.atLeast),
            safeWith: document.pace.safeWith ?? null,
          },
    polls: {
      l1HeadMs: milliseconds(document.polls?.l1Head),
      l1FinalityMs: milliseconds(document.polls?.l1Finality),
    },
    harmless: document.harmless ?? [],
    firstBlock:
      document.firstBlock === undefined
        ? null
        : {
            rpc: parseText(document.firstBlock.rpc),
            method: document.firstBlock.method,
            head: parseText(document.firstBlock.head),
          },
    ready: document.ready.map(probeOf),
    live: (document.live ?? []).map(probeOf),
    stop: {
      signal: document.stop.signal ?? 'SIGTERM',
      graceMs: parseSeconds(document.stop.grace)! * 1000,
      ...(document.stop.again === undefined ? {} : { againMs: parseSeconds(document.stop.again)! * 1000 }),
    },
  };
  return withOverrides(data);
}

/** A duration of a checked document; 0 where it gives none. */
function milliseconds(duration: string | undefined): number {
  return duration === undefined ? 0 : (parseSeconds(duration) ?? 0) * 1000;
}

/** Whether the client is given its peers, so that it connects to them. */
function dials(document: TemplateDocument): boolean {
  return /\$\{\s*node\.peers\s*\}/.test(JSON.stringify(document));
}

function optionsOf({ args, env }: Options): OptionsTemplate {
  return {
    args: argumentsOf(args ?? {}),
    env: Object.fromEntries(Object.entries(env ?? {}).map(([name, value]) => [name, parseText(String(value))])),
  };
}

function argumentsOf(args: Readonly<Record<string, Argument>>): Readonly<Record<string, ArgumentTemplate>> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]): [string, ArgumentTemplate] => {
      if (typeof value === 'string') return [name, parseText(value)];
      return [name, typeof value === 'object' && value !== null ? value.map(parseText) : value];
    }),
  );
}

function ownArguments(options: readonly OptionsTemplate[]): Readonly<Record<string, string>> {
  const own = options
    .flatMap(({ args }) => Object.entries(args))
    .flatMap(([name, value]) => {
      const reference = textsOf(value)
        .flatMap(referencesIn)
        .find((one) => insteadOf(one) !== undefined);
      return reference === undefined ? [] : [[name, insteadOf(reference)!] as const];
    });
  return Object.fromEntries(own);
}

function textsOf(value: ArgumentTemplate): readonly Text[] {
  if (value === null || typeof value !== 'object') return [];
  return 'parts' in value ? [value] : value;
}

function probeOf(probe: Readonly<Record<string, unknown>>): ProbeTemplate {
  const description = probe['description'] as string | undefined;
  const expect = (probe['expect'] ?? {}) as Readonly<Record<string, unknown>>;
  const url = (key: string) => parseText(probe[key] as string);
  if ('rpc' in probe) {
    const method = probe['method'] as string;
    return {
      kind: 'rpc',
      url: url('rpc'),
      method,
      params: (probe['params'] ?? []) as unknown[],
      expect,
      description: description ?? `answers ${method}`,
    };
  }
  if ('http' in probe)
    return {
      kind: 'http',
      url: url('http'),
      status: (probe['status'] as number | undefined) ?? 200,
      expect,
      description: description ?? 'answers over HTTP',
    };
  if ('tcp' in probe)
    return {
      kind: 'tcp',
      port: probe['tcp'] as string,
      description: description ?? `listens at its port ${probe['tcp']}`,
    };
  if ('log' in probe)
    return { kind: 'log', pattern: probe['log'] as string, description: description ?? `writes ${probe['log']}` };
  if ('height' in probe)
    return {
      kind: 'height',
      url: url('height'),
      atLeast: (probe['atLeast'] as number | undefined) ?? 1,
      description: description ?? 'has blocks',
    };
  return { kind: 'peers', url: url('peers'), description: description ?? 'is connected to its peers' };
}
