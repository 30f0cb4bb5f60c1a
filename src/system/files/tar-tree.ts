import { PassThrough, type Readable } from 'node:stream';
import { create } from 'tar';

/** Packs files into a tar stream, each under its name there. All users may read them, and links are followed. */
export function packTree(files: ReadonlyMap<string, string>): Readable {
  const names = new Map([...files].map(([name, path]) => [path, name]));
  const pack = create(
    {
      cwd: '/',
      preservePaths: true,
      follow: true,
      portable: true,
      noMtime: true,
      onWriteEntry(entry) {
        const { stat } = entry;
        if (stat !== undefined) stat.mode |= (stat.mode & 0o100) === 0 ? 0o444 : 0o555;
        entry.path = names.get(`/${entry.path.replace(/^\/+/, '')}`) ?? entry.path;
      },
    },
    [...files.values()],
  );
  return pack.pipe(new PassThrough());
}
