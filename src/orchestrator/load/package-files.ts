import { join, resolve } from 'node:path';
import type { UpgradeBundle } from '../../protocol/types.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { namesIn, readText, unreadable } from '../../system/files/folder.ts';
import { packageRoot } from '../../system/program/entry.ts';
import { DOCUMENT_LIMITS } from '../spec/text/bounds.ts';
import type { Source } from '../spec/text/source.ts';

const SCENARIOS = join('devnets', 'scenarios');

const YAML = /\.ya?ml$/;

/** Names of the package's sample specs. */
export function sampleNames(): readonly string[] {
  return yamlNames('devnets');
}

/** Returns a sample spec by its name, undefined if there is none. */
export function sample(name: string): Source | undefined {
  return sampleNames().includes(name) ? source(packageRoot(), join('devnets', `${name}.yaml`)) : undefined;
}

/** Names of the package's scenarios. */
export function scenarioNames(): readonly string[] {
  return yamlNames(SCENARIOS);
}

/** Returns a scenario of the package by its name, undefined if there is none. */
export function sampleScenario(name: string): Source | undefined {
  return scenarioNames().includes(name) ? source(packageRoot(), join(SCENARIOS, `${name}.yaml`)) : undefined;
}

/** Names of the package's clients. */
export function clientNames(): readonly string[] {
  return yamlNames('templates');
}

/** Returns the text of a client template of the package, undefined if there is none of this name. */
export function clientSource(name: string): Source | undefined {
  return clientNames().includes(name) ? source(packageRoot(), join('templates', `${name}.yaml`)) : undefined;
}

/**
 * Reads a file that the user names; undefined if it cannot be read. Its type is checked first, because a device or
 * a pipe may never end.
 * @throws Failure `spec` (exit 2) if it is not a regular file of bounded size
 */
export function source(cwd: string, name: string): Source | undefined {
  const path = resolve(cwd, name);
  const problem = unreadable(path, DOCUMENT_LIMITS.bytes);
  if (problem !== undefined) throw new Failure('spec', `cannot read ${name}: ${problem}`, { exit: EXIT.usage });
  const text = readText(path);
  return text === undefined ? undefined : { name, text, path };
}

/** Returns the package's upgrade bundle of a fork, undefined if it has none. */
export function ownBundle(fork: string): UpgradeBundle | undefined {
  const text = readText(join(packageRoot(), 'dist', 'bundles', `${fork}.json`));
  return text === undefined ? undefined : (JSON.parse(text) as UpgradeBundle);
}

/** Origin of the bytecode in the package's upgrade bundles, by fork. */
export function bundleOrigins(): Readonly<Record<string, { readonly origin: string }>> {
  const names = namesIn(join(packageRoot(), 'dist', 'bundles')).filter((file) => file.endsWith('.json'));
  return Object.fromEntries(
    names.map((file) => {
      const fork = file.slice(0, -5);
      return [fork, { origin: String(ownBundle(fork)?.metadata['origin'] ?? 'own') }] as const;
    }),
  );
}

function yamlNames(folder: string): readonly string[] {
  return namesIn(join(packageRoot(), folder))
    .filter((file) => YAML.test(file))
    .map((file) => file.replace(YAML, ''));
}
