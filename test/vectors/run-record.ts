import { createHash } from 'node:crypto';
import { globSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type LineFile, openLineFile } from '../../src/system/files/line-file.ts';
import type { SampleFile } from './files.ts';
import type { SuiteCounts } from './tally.ts';

/** What the cases of one file came to. `problems`: a line for each failed one. */
export interface FileResult extends SampleFile {
  readonly suites: Readonly<Record<string, SuiteCounts>>;
  readonly problems: readonly string[];
}

/** First line of a record. */
interface Head {
  /** Checksum of the programs under test. */
  readonly client: string;
  readonly start: string;
}

/** What a record says of the run before this one. */
export interface EarlierRun {
  readonly start: string;
  readonly isOfThisClient: boolean;
}

/**
 * The results of a run, file by file, until it is over.
 * The next run of the same folder and FILTER finds the record of one that ended early.
 */
export class RunRecord {
  readonly earlier: EarlierRun | undefined;
  readonly #path: string;
  readonly #results = new Map<string, FileResult>();
  readonly #lines: LineFile;

  /** @param resumes uses the results of an earlier run of the same client, if there is one */
  constructor(path: string, client: string, resumes: boolean) {
    this.#path = path;
    const [first, ...lines] = linesOf(path);
    const head = first === undefined ? undefined : (JSON.parse(first) as Head);
    const isOfThisClient = head?.client === client;
    if (head !== undefined) this.earlier = { start: head.start, isOfThisClient };
    if (resumes && isOfThisClient) {
      for (const result of lines.map((line) => JSON.parse(line) as FileResult)) this.#results.set(result.path, result);
      this.#lines = openLineFile(path);
      return;
    }
    rmSync(path, { force: true });
    this.#lines = openLineFile(path);
    this.#lines.append(JSON.stringify({ client, start: new Date().toISOString() } satisfies Head));
  }

  /** Returns the earlier result of a file, undefined if there is none or the file has changed since. */
  resultOf({ path, size, mtimeMs }: SampleFile): FileResult | undefined {
    const result = this.#results.get(path);
    return result?.size === size && result.mtimeMs === mtimeMs ? result : undefined;
  }

  add(result: FileResult): void {
    this.#lines.append(JSON.stringify(result));
  }

  /** Ends the record of a run that is over: the next one starts anew. */
  remove(): void {
    this.#lines.close();
    rmSync(this.#path, { force: true });
  }
}

function linesOf(path: string): readonly string[] {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return [];
  const file = openLineFile(path);
  try {
    return file.lines();
  } finally {
    file.close();
  }
}

const SOURCES = ['src', 'test/vectors', 'test/nodes/execution/support', 'test/nodes/execution/conformance'];

/** Returns a checksum of the sources of a clone that the published material runs on, and of its packages. */
export function clientVersion(root: string): string {
  const hash = createHash('sha256').update(process.version);
  const files = globSync(
    SOURCES.map((folder) => `${folder}/**/*.ts`),
    { cwd: root },
  );
  for (const file of ['package-lock.json', ...files.sort()])
    hash.update(`\n${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Returns the name of the record of a folder and a filter. */
export function recordName(folder: string, filter: string): string {
  return `${createHash('sha256')
    .update(JSON.stringify([folder, filter]))
    .digest('hex')
    .slice(0, 16)}.jsonl`;
}
