import type { PlannedFile } from './plan.ts';

/** Maps each secret to the path of the file that holds only this secret. Commands can read it there. */
export function secretFiles(files: readonly PlannedFile[]): ReadonlyMap<string, string> {
  return new Map(
    files.flatMap(({ path, secret, content }) =>
      secret && content.kind === 'text' ? [[content.text.trim(), path] as const] : [],
    ),
  );
}
