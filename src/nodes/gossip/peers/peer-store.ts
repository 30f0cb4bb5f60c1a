import * as z from 'zod';
import { Failure, messageOf } from '../../../system/failure.ts';
import { writeAtomic } from '../../../system/files/atomic-write.ts';
import { readText } from '../../../system/files/folder.ts';
import { time } from '../../../system/numbers/schema.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { Ban } from '../host/bans.ts';
import type { BlockLists } from '../host/gater.ts';
import type { ReqRespScores } from '../requests/application-score.ts';

/** A peer that was connected once. */
export interface KnownPeer {
  readonly id: string;
  readonly addresses: readonly string[];
  readonly requests: ReqRespScores;
}

/** The content of the peer store. */
export interface PeerStoreContent {
  readonly peers: readonly KnownPeer[];
  readonly bans: readonly Ban[];
  readonly blocked: BlockLists;
}

/** The open peer store. */
export interface PeerStoreFile {
  /** The content that an earlier run stored. */
  readonly content: PeerStoreContent;
  /** Schedules a write of `content`; several calls become one write. */
  save(content: () => PeerStoreContent): void;
  /** Writes pending changes at once. */
  close(): void;
}

const EMPTY: PeerStoreContent = { peers: [], bans: [], blocked: { peers: [], addresses: [], subnets: [] } };
/** Milliseconds between a change and its write. */
const WRITE_DELAY_MS = 500;

/** A score that decays: a part of a count. */
const score = z.number().min(0).max(Number.MAX_SAFE_INTEGER);
const strings = z.array(z.string());
const schema = z.object({
  privateKey: z.string().regex(/^[0-9a-f]{64}$/),
  peers: z.array(
    z.object({
      id: z.string(),
      addresses: strings,
      requests: z.object({ validResponses: score, errorResponses: score, rejectedPayloads: score }),
    }),
  ),
  bans: z.array(z.object({ id: z.string(), until: time })),
  blocked: z.object({ peers: strings, addresses: strings, subnets: strings }),
});

/**
 * Opens the peer store (op-node: `NewExtendedPeerstore`). Without a path nothing is stored.
 * The file has mode 0600, because like op-node's it holds a copy of the network key.
 * @throws Failure `peer-store` on a file of another format
 */
export function openPeerStore(path: string | undefined, key: Uint8Array, log: Logger): PeerStoreFile {
  if (path === undefined) return { content: EMPTY, save() {}, close() {} };
  const file = path;
  const content = read(file);
  let pending: (() => PeerStoreContent) | undefined;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!pending) return;
    const content = { privateKey: Buffer.from(key).toString('hex'), ...pending() };
    pending = undefined;
    try {
      writeAtomic(file, `${JSON.stringify(content)}\n`, 0o600);
    } catch (error) {
      log.warn('cannot write the peer store', { path, error });
    }
  }

  return {
    content: content,
    save(content) {
      pending = content;
      timer ??= setTimeout(flush, WRITE_DELAY_MS).unref();
    },
    close: flush,
  };
}

function read(path: string): PeerStoreContent {
  let text: string | undefined;
  try {
    text = readText(path);
    if (text === undefined || text.trim() === '') return EMPTY;
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Failure('peer-store', `${path} is not a file of peers: ${messageOf(cause)}`, {
      cause,
      data: { path },
      hint: 'delete it, or name another with --p2p.peerstore.path; `memory` keeps none',
    });
  }
}
