import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { packageRoot } from './entry.ts';

const maps = new Map<string, SourceMap | undefined>();

/**
 * Returns an error's stack with positions in our source files instead of the bundles.
 * A bundle's source map has some megabytes. It is read here alone, when a fault occurs.
 */
export function sourceStack(error: Error): string {
  return (error.stack ?? String(error)).replace(
    /((?:file:\/\/)?\/[^\s():]*\/dist\/programs\/[\w-]+\.cjs):(\d+):(\d+)/g,
    (place, file: string, line: string, column: string) =>
      placeOf(file.replace(/^file:\/\//, ''), Number(line), Number(column)) ?? place,
  );
}

/** Makes Node print positions in our source files for an uncaught error. */
export function tellSources(): void {
  if (!process.listeners('uncaughtExceptionMonitor').includes(tellSource))
    process.on('uncaughtExceptionMonitor', tellSource);
}

function tellSource(error: unknown): void {
  if (error instanceof Error) error.stack = sourceStack(error);
}

function placeOf(file: string, line: number, column: number): string | undefined {
  const entry = mapOf(file)?.findEntry(line - 1, column - 1);
  if (entry === undefined || !('originalSource' in entry)) return undefined;
  const source = relative(packageRoot(), resolve(dirname(file), entry.originalSource));
  return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(`${file}.map`));
  return maps.get(file);
}

function readMap(path: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload);
  } catch {
    return undefined;
  }
}
