/** One published sample. `check` throws if our result differs, and NotApplicable if this program does not run it. */
export interface VectorCase {
  readonly name: string;
  /** The line of the summary that counts it. Default: the name of its kind. */
  readonly suite?: string;
  readonly check: () => void | Promise<void>;
}

/** A kind of published samples, found by file names and read from their text. `kinds.ts` lists them. */
export interface VectorKind {
  readonly name: string;
  /** Paths, relative to the given folder, that may hold samples of this kind. */
  readonly files: RegExp;
  /** `text` is the file's `bytes` as UTF-8. `folder` is the given folder. */
  cases(path: string, text: string, bytes: Uint8Array, folder: string): VectorCase[];
}

/** @throws Error with both values, unless they are the same text or JSON */
export function same(what: string, ours: unknown, published: unknown): void {
  const textOf = (value: unknown) =>
    typeof value === 'string'
      ? value.toLowerCase()
      : JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part));
  const [mine, theirs] = [textOf(ours), textOf(published)];
  if (mine !== theirs) throw new Error(`${what}: ours ${mine?.slice(0, 200)}, published ${theirs?.slice(0, 200)}`);
}
