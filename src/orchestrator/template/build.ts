import { type TemplateData, withOverrides } from './overrides.ts';
import { insteadOf } from './references.ts';
import type { TemplateDocument } from './schema.ts';
import type { ArgumentTemplate, ClientTemplate, OptionsTemplate, PortTemplate, Text } from './template.ts';
import { parseText, referencesIn } from './text.ts';

type Options = Pick<TemplateDocument, 'args' | 'env'>;
type Arguments = NonNullable<TemplateDocument['args']>;

/** Builds the template of a checked document. */
export function buildTemplate(name: string, document: TemplateDocument): ClientTemplate {
  const options = optionsOf(document);
  const roles = { sequencer: optionsOf(document.sequencer ?? {}), verifier: optionsOf(document.verifier ?? {}) };
  const { embedded, process, docker } = document.runs;
  const data: TemplateData = {
    name,
    kind: document.kind,
    implementation: document.implementation,
    engineKind: document.engineKind ?? null,
    engineWs: document.engineWs ?? false,
    stateRoot: document.stateRoot ?? 'genesis',
    hardforks: document.hardforks ?? null,
    drivesEngine: refersTo(document, 'l1.engine'),
    runs: {
      ...(embedded === undefined ? {} : { embedded }),
      ...(process === undefined ? {} : { process: process === null ? null : parseText(process) }),
      ...(docker === undefined ? {} : { docker }),
    },
    runtimes: [
      ...(embedded === undefined ? [] : ['embedded' as const]),
      ...(process === undefined ? [] : ['process' as const]),
      ...(embedded === undefined && docker === undefined ? [] : ['docker' as const]),
    ],
    needsImage: docker?.image === null,
    needsBinary: process === null,
    program: typeof process === 'string' && referencesIn(parseText(process)).length === 0 ? process : null,
    version: document.version === undefined ? null : document.version.map(parseText),
    versions: document.versions ?? null,
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
    resume:
      document.resume === undefined
        ? null
        : { file: parseText(document.resume.file), args: argumentsOf(document.resume.args) },
    omit: document.omit ?? {},
    dials: refersTo(document, 'node.peers'),
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
    distinctTimesFrom: document.distinctTimesFrom ?? null,
    clock: document.clock,
    pace:
      document.pace === undefined
        ? null
        : {
            l1Blocks: document.pace.l1Blocks ?? null,
            every: document.pace.every ?? null,
            atLeastMs: document.pace.atLeast ?? 0,
            safeWith: document.pace.safeWith ?? null,
          },
    polls: {
      l1HeadMs: document.polls?.l1Head ?? 0,
      l1FinalityMs: document.polls?.l1Finality ?? 0,
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
    ready: document.ready,
    live: document.live ?? [],
    stop: {
      signal: document.stop.signal ?? 'SIGTERM',
      graceMs: document.stop.grace,
      ...(document.stop.again === undefined ? {} : { againMs: document.stop.again }),
    },
  };
  return withOverrides(data);
}

function refersTo(document: TemplateDocument, reference: string): boolean {
  return new RegExp(`\\$\\{\\s*${reference.replaceAll('.', '\\.')}\\s*\\}`).test(JSON.stringify(document));
}

function optionsOf({ args, env }: Options): OptionsTemplate {
  return {
    args: argumentsOf(args ?? {}),
    env: Object.fromEntries(Object.entries(env ?? {}).map(([name, value]) => [name, parseText(String(value))])),
  };
}

function argumentsOf(args: Arguments): Readonly<Record<string, ArgumentTemplate>> {
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
      const instead = textsOf(value)
        .flatMap(referencesIn)
        .map(insteadOf)
        .find((one) => one !== undefined);
      return instead === undefined ? [] : [[name, instead] as const];
    });
  return Object.fromEntries(own);
}

function textsOf(value: ArgumentTemplate): readonly Text[] {
  if (value === null || typeof value !== 'object') return [];
  return 'parts' in value ? [value] : value;
}
