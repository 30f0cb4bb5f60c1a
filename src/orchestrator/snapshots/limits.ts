import { DATA } from '../checkpoints/snapshots.ts';

/** A file of a snapshot: its path below the devnet's folder and its bytes. */
export interface SizedFile {
  readonly path: string;
  readonly size: number;
}

/** Bytes of an archive, and of all files in it. */
export const MOST_BYTES = 8 * 1024 ** 3;

/** Files of a snapshot. Unpacking one takes about 0.6 ms of processor time, whatever its size. */
export const MOST_FILES = 20_000;

/** Folders of a snapshot. Those of a node's data are fewer than ten. */
export const MOST_FOLDERS = 5000;

/** Returns why the files or folders of a snapshot are too many or too large. `hint`: what to do before a save. */
export function excess(
  files: readonly SizedFile[],
  folders = 0,
): { readonly why: string; readonly hint: string } | undefined {
  if (files.length > MOST_FILES)
    return {
      why: `it has ${files.length} files, and a snapshot has at most ${MOST_FILES}`,
      hint: `most of them are in ${largest(files, () => 1)}: end that node, or let it keep less`,
    };
  if (folders > MOST_FOLDERS)
    return {
      why: `it has ${folders} folders, and a snapshot has at most ${MOST_FOLDERS}`,
      hint: 'end a node, or remove empty folders of its data',
    };
  const sum = files.reduce((total, { size }) => total + size, 0);
  if (sum <= MOST_BYTES) return undefined;
  return {
    why: `its files have ${sum} bytes, and those of a snapshot have at most ${MOST_BYTES}`,
    hint: `most of them are in ${largest(files, ({ size }) => size)}: end that node, or let it keep less`,
  };
}

/** Names the process with the largest sum, by its folder. */
function largest<File extends Pick<SizedFile, 'path'>>(
  files: readonly File[],
  weightOf: (file: File) => number,
): string {
  const sums = new Map<string, number>();
  for (const file of files) {
    const [, ...names] = file.path.split('/');
    const process = names.slice(0, Math.min(4, names.length - 1)).join('/') || DATA;
    sums.set(process, (sums.get(process) ?? 0) + weightOf(file));
  }
  return [...sums].sort(([, one], [, other]) => other - one)[0]?.[0] ?? DATA;
}
