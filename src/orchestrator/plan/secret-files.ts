import type { PlannedFile } from './plan.ts';

/** Paths of the files that hold a secret and nothing else, by the secret: a command can read it from there. */
export function secretFiles(files: readonly PlannedFile[]): ReadonlyMap<string, string> {
  return new Map(
    files.flatMap(({ path, secret, content }) =>
      secret && content.kind === 'text' ? [[content.text.trim(), path] as const] : [],
    ),
  );
}
