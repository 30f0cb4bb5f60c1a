import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type ParsedSpec, parseSpec, type SpecInputs } from '../../src/orchestrator/spec/parse.ts';
import { renderProblems } from '../../src/orchestrator/spec/text/problem.ts';
import type { Source } from '../../src/orchestrator/spec/text/source.ts';
import { parseYaml } from '../../src/orchestrator/spec/text/yaml.ts';
import { loadTemplate } from '../../src/orchestrator/template/load.ts';
import type { ClientTemplate } from '../../src/orchestrator/template/template.ts';

export const root = resolve(import.meta.dirname, '..', '..');

const names = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.replace(/\.yaml$/, ''));

/** A file of the package. */
export function packageFile(folder: string, name: string): Source {
  const path = join(root, folder, `${name}.yaml`);
  return { name: `${folder}/${name}.yaml`, text: readFileSync(path, 'utf8'), path };
}

export const sampleNames = names('devnets');
export const templateNames = names('templates');

const loaded = new Map<string, ClientTemplate>();

/** A template of the package; fails with its problems if it has any. */
export function template(name: string): ClientTemplate {
  const existing = loaded.get(name);
  if (existing !== undefined) return existing;
  const outcome = loadTemplate(name, packageFile('templates', name));
  if (!outcome.ok) throw new Error(renderProblems(outcome.problems));
  loaded.set(name, outcome.template);
  return outcome.template;
}

/** Forks for which there is a bundle, as a built package has them. */
export const bundles = Object.fromEntries(
  ['ecotone', 'fjord', 'isthmus', 'jovian'].map((fork) => [fork, { origin: fork === 'jovian' ? 'own' : 'official' }]),
);

export const NOW = 1_800_000_000;

/** Parses a spec's text as the command does, with the package's own samples and templates. */
export function parse(text: string, more: Partial<SpecInputs<ClientTemplate>> = {}): ParsedSpec<ClientTemplate> {
  return parseSpec<ClientTemplate>({
    source: { name: 'my.yaml', text, path: '/base/spec/my.yaml' },
    name: 'my-devnet',
    sets: [],
    parseYaml,
    cwd: '/work',
    now: NOW,
    bundles,
    baseNames: sampleNames,
    base: (name) => (sampleNames.includes(name) ? packageFile('devnets', name) : undefined),
    clientNames: templateNames,
    client: (name) => (templateNames.includes(name) ? template(name) : undefined),
    loadClient: () => undefined,
    ...more,
  });
}

/** A spec that must be right. */
export function parseValidSpec(
  text: string,
  more: Partial<SpecInputs<ClientTemplate>> = {},
): Extract<ParsedSpec<ClientTemplate>, { ok: true }> {
  const outcome = parse(text, more);
  if (!outcome.ok) throw new Error(renderProblems(outcome.problems));
  return outcome;
}
