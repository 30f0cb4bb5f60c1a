import type { TemplateDocument } from './schema.ts';
import type { PortTemplate } from './template.ts';
import { argumentsOf, parseText, referencesIn } from './text.ts';

/** Returns what the client is, and what it does in a node. */
export function clientOf(document: TemplateDocument) {
  return {
    kind: document.kind,
    implementation: document.implementation,
    engineKind: document.engineKind ?? null,
    engineWs: document.engineWs ?? false,
    stateRoot: document.stateRoot ?? 'genesis',
    drivesEngine: refersTo(document, 'l1.engine'),
    drivesAnvil: document.drivesAnvil ?? false,
    l1Forks: document.l1Forks ?? false,
    slotsPerEpoch: document.slotsPerEpoch ?? null,
    dials: refersTo(document, 'node.peers'),
    version: document.version === undefined ? null : document.version.map(parseText),
    versions: document.versions ?? null,
  };
}

/** Returns in what the client can run. */
export function runsOf({ runs: { embedded, process, docker } }: TemplateDocument) {
  return {
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
  };
}

/** Returns the commands: the client's own, and those before it starts and after a rollback. */
export function commandsOf({ command, prepare, rewind, resume }: TemplateDocument) {
  return {
    command: (command ?? []).map(parseText),
    prepare: (prepare ?? []).map((step) => ({
      command: (step.command ?? []).map(parseText),
      args: argumentsOf(step.args ?? {}),
      operands: (step.operands ?? []).map(parseText),
    })),
    ...(rewind === undefined
      ? {}
      : { rewind: { command: (rewind.command ?? []).map(parseText), args: argumentsOf(rewind.args ?? {}) } }),
    resume: resume === undefined ? null : { file: parseText(resume.file), args: argumentsOf(resume.args) },
  };
}

/** Returns the ports, and their names in the order of the document. */
export function portsOf({ ports }: TemplateDocument) {
  return {
    ports: Object.fromEntries(
      Object.entries(ports).map(([port, value]): [string, PortTemplate] => [
        port,
        typeof value === 'string' ? { transport: value } : { transport: 'tcp', ...value },
      ]),
    ),
    portNames: Object.keys(ports),
  };
}

/** Returns how the client gets fork times, and which it takes. */
export function forksOf(document: TemplateDocument) {
  return {
    hardforks: document.hardforks ?? null,
    forks: document.forks ?? {},
    upgradeBundles: document.upgradeBundles ?? 'none',
    until: document.until ?? null,
    distinctTimesFrom: document.distinctTimesFrom ?? null,
  };
}

/** Returns how fast the client follows L1, and what says that it has its first block. */
export function paceOf({ clock, pace, polls, firstBlock }: TemplateDocument) {
  return {
    clock,
    pace:
      pace === undefined
        ? null
        : {
            l1Blocks: pace.l1Blocks ?? null,
            every: pace.every ?? null,
            atLeastMs: pace.atLeast ?? 0,
            safeWith: pace.safeWith ?? null,
          },
    polls: { l1HeadMs: polls?.l1Head ?? 0, l1FinalityMs: polls?.l1Finality ?? 0 },
    firstBlock:
      firstBlock === undefined
        ? null
        : { rpc: parseText(firstBlock.rpc), method: firstBlock.method, head: parseText(firstBlock.head) },
  };
}

function refersTo(document: TemplateDocument, reference: string): boolean {
  return new RegExp(`\\$\\{\\s*${reference.replaceAll('.', '\\.')}\\s*\\}`).test(JSON.stringify(document));
}
