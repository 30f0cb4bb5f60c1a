import { createHash } from 'node:crypto';
import { readInPieces, readWhole } from '../../../system/copy.ts';
import { EXIT, Failure } from '../../../system/failure.ts';
import { type Alloc, type ChainDefinition, defineChain, malformed } from './genesis.ts';

/** genesis.json in two parts; its `alloc` is parsed only where no cache has the state. */
export interface GenesisFile {
  readonly definition: ChainDefinition;
  /** sha256 of the text from `"alloc"` on, hex. */
  readonly allocKey: string;
  alloc(): Alloc;
}

const KEY = '"alloc"';

/** Reads genesis.json, whose last key is `alloc`: the text before it, and a hash of the rest, which is not kept. @throws Failure `genesis` */
export function readGenesisFile(path: string): GenesisFile {
  const { head, allocKey } = readable(path, () => split(path, readInPieces(path)));
  return {
    definition: defineChain(`${head.trimEnd().replace(/,$/, '')}}`, path),
    allocKey,
    alloc() {
      const bytes = readable(path, () => readWhole(path));
      if (split(path, [bytes]).allocKey !== allocKey) throw malformed(path, 'it was changed while it was read');
      try {
        return (JSON.parse(bytes.toString('utf8')) as { alloc: Alloc }).alloc;
      } catch (cause) {
        throw malformed(path, 'it is no JSON', cause);
      }
    },
  };
}

function readable<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure('genesis', `cannot read the genesis file ${path}`, { data: { path }, exit: EXIT.usage, cause });
  }
}

function split(path: string, pieces: Iterable<Buffer>): { readonly head: string; readonly allocKey: string } {
  const hash = createHash('sha256');
  const before: Buffer[] = [];
  let head: string | undefined;
  for (const piece of pieces) {
    if (head !== undefined) {
      hash.update(piece);
      continue;
    }
    // The key may lie across two pieces.
    const end = before.at(-1)?.subarray(1 - KEY.length) ?? Buffer.alloc(0);
    before.push(Buffer.from(piece));
    if (!Buffer.concat([end, piece]).includes(KEY)) continue;
    const all = Buffer.concat(before);
    const at = all.indexOf(KEY);
    head = all.subarray(0, at).toString('utf8');
    hash.update(all.subarray(at));
  }
  if (head === undefined) throw malformed(path, `it has no ${KEY}`);
  return { head, allocKey: hash.digest('hex') };
}
