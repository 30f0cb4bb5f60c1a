import type { LoadedSpec } from '../../load/loaded-spec.ts';
import { locate } from '../../spec/text/source.ts';
import type { ExportFile } from '../network-folder.ts';
import { spanIn } from '../refusals.ts';
import type { Unit } from '../unit.ts';

/** Most bytes of a config of a swarm. */
export const MAX_CONFIG_BYTES = 500 * 1024;

/** Returns why a swarm cannot carry the files of an export, each with its place in the spec. Empty: it can. */
export function swarmLimits(loaded: LoadedSpec, configs: readonly ExportFile[], maxBytes = MAX_CONFIG_BYTES): string[] {
  return configs
    .filter(({ text }) => Buffer.byteLength(text) > maxBytes)
    .map(({ path, text, namedAt = [] }) => {
      const { line, column } = locate(spanIn(loaded, namedAt));
      return (
        `${loaded.source.name}:${line}:${column}: ${path} has ${Buffer.byteLength(text)} bytes, and a config of a ` +
        `Docker Swarm at most ${maxBytes}: the folder is for Compose alone`
      );
    });
}

/** Returns why a swarm cannot run the clients of an export: services have no order there. */
export function clientLimits(units: readonly Pick<Unit, 'name' | 'client'>[]): string[] {
  return units.flatMap(({ name, client }) =>
    client === undefined
      ? []
      : [`${name} runs ${client.image}, whose files another service writes: the folder is for Compose alone`],
  );
}
