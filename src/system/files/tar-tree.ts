import { PassThrough, type Readable } from 'node:stream';
import { create, extract, Header } from 'tar';
import { makeFolders } from './folder.ts';

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

/** An empty folder of a tar archive. */
export interface EmptyFolder {
  /** Its name there. */
  readonly name: string;
  readonly mode: number;
  /** User and group that it belongs to. */
  readonly owner: number;
}

/** Returns the entries of empty folders, which stand before the files of an archive. */
export function packFolders(folders: readonly EmptyFolder[]): Buffer {
  return Buffer.concat(
    folders.map(({ name, mode, owner }) => {
      const path = `${name}/`;
      const header = new Header({ path, mode, uid: owner, gid: owner, size: 0, type: 'Directory', mtime: new Date(0) });
      const block = Buffer.alloc(512);
      header.encode(block);
      return block;
    }),
  );
}

/** Returns a stream with bytes before it. */
export function withHead(bytes: Uint8Array, stream: Readable): Readable {
  const both = new PassThrough();
  both.write(bytes);
  stream.on('error', (error) => both.destroy(error));
  return stream.pipe(both);
}

/** Unpacks a tar archive into a new folder. No entry leaves it. @throws Error of the archive */
export async function unpackTree(archive: string, folder: string): Promise<void> {
  makeFolders(folder);
  await extract({ file: archive, cwd: folder, strict: true, preserveOwner: false });
}
