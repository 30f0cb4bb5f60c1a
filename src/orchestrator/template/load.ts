import * as z from 'zod/mini';
import { at, isMap, type Json, type Path } from '../spec/schema/json.ts';
import { checkShape } from '../spec/text/issues.ts';
import { inReadingOrder, type Problem } from '../spec/text/problem.ts';
import type { Source } from '../spec/text/source.ts';
import { type ParsedYaml, parseYaml, plainOf } from '../spec/text/yaml.ts';
import { contentProblems } from './content-problems.ts';
import { type TemplateData, withOverrides } from './fork-options.ts';
import { insteadOf } from './references.ts';
import { type TemplateDocument, templateSchema } from './schema.ts';
import { clientOf, commandsOf, forksOf, paceOf, portsOf, runsOf } from './sections.ts';
import type { ArgumentTemplate, ClientTemplate, OptionsTemplate, Text } from './template.ts';
import { optionsOf, referencesIn } from './text.ts';

export type LoadedTemplate =
  | { readonly ok: true; readonly template: ClientTemplate }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Reads a template. Finds every problem at once: of shape, of references, of secrets in command lines. */
export function loadTemplate(
  name: string,
  source: Source,
  parse: (source: Source) => ParsedYaml = parseYaml,
): LoadedTemplate {
  const { layer, problems: faults } = parse(source);
  if (layer === undefined) return { ok: false, problems: faults };
  const plain = plainOf(layer);
  const shape = checkShape(plain, [layer], templateSchema);
  const problems = [...faults, ...shape.problems];
  const { output } = shape;
  const kind = z.safeParse(templateSchema.shape.kind, at(shape.value, ['kind']));
  if (kind.success) problems.push(...contentProblems(layer, kind.data, keysAt(plain, ['ports'])));
  if (output === undefined || problems.length > 0) return { ok: false, problems: inReadingOrder(problems) };
  return { ok: true, template: buildTemplate(name, output) };
}

function keysAt(document: Json, path: Path): readonly string[] {
  const value = at(document, path);
  return isMap(value) ? Object.keys(value) : [];
}

/** Builds the template of a checked document. */
function buildTemplate(name: string, document: TemplateDocument): ClientTemplate {
  const options = optionsOf(document);
  const roles = { sequencer: optionsOf(document.sequencer ?? {}), verifier: optionsOf(document.verifier ?? {}) };
  const data: TemplateData = {
    name,
    ...clientOf(document),
    ...runsOf(document),
    ...commandsOf(document),
    ...options,
    ...roles,
    ...portsOf(document),
    refusedArguments: document.refuses ?? {},
    ownArguments: ownArguments([options, roles.sequencer, roles.verifier]),
    follows: refersTo('node.follow', options),
    leadsOne: refersTo('member.rpc', options),
    takesConductor: refersTo('conductor.rpc', options) || refersTo('conductor.rpc', roles.sequencer),
    takesAltDa: refersTo('altDa.server', options),
    takesSigner: refersTo('signer.rpc', options) || refersTo('signer.rpc', roles.sequencer),
    omit: document.omit ?? {},
    booleans: document.booleans ?? 'value',
    needs: document.needs ?? {},
    ...forksOf(document),
    ...paceOf(document),
    harmless: document.harmless ?? [],
    probe: document.probe ?? null,
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

function ownArguments(options: readonly OptionsTemplate[]): Readonly<Record<string, string>> {
  const entries = options
    .flatMap(({ args }) => Object.entries(args))
    .flatMap(([name, value]) => {
      const instead = textsOf(value)
        .flatMap(referencesIn)
        .map(insteadOf)
        .find((one) => one !== undefined);
      return instead === undefined ? [] : [[name, instead] as const];
    });
  return Object.fromEntries(entries);
}

/** Returns whether an argument of a template has a reference. */
function refersTo(reference: string, { args }: OptionsTemplate): boolean {
  return Object.values(args).flatMap(textsOf).flatMap(referencesIn).includes(reference);
}

function textsOf(value: ArgumentTemplate): readonly Text[] {
  if (value === null || typeof value !== 'object') return [];
  return 'parts' in value ? [value] : value;
}
