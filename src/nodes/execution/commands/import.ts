import { isProtocolError } from '../../../protocol/errors.ts';
import { present } from '../../../protocol/present.ts';
import { EXIT, Failure, messageOf, systemCode } from '../../../system/failure.ts';
import { readPieces } from '../../../system/files/byte-file.ts';
import type { Logger } from '../../../system/program/log.ts';
import { BlockInvalid } from '../block/errors.ts';
import { blocksIn } from '../chain/block-file.ts';
import type { Chain } from '../chain/chain.ts';
import type { UnexecutedBlock } from '../chain/unexecuted-block.ts';
import { validateBlock } from '../engine/validate.ts';
import { SenderRecovery } from '../transaction/sender-recovery.ts';

/** Blocks after which the head moves, so that an interrupted import keeps its progress. */
const HEAD_STEP_BLOCKS = 256;

/**
 * Executes the blocks of chain files and moves the head to the last one, if that is higher.
 * Counterpart in geth: `ImportChain`. Known blocks are skipped.
 * @throws Failure `import` naming file and block. Earlier blocks are kept.
 */
export async function importFiles(
  chain: Chain,
  files: readonly string[],
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const senders = new SenderRecovery();
  for (const file of files) {
    let last: UnexecutedBlock | undefined;
    let imported = 0;
    try {
      for await (const block of withSendersAhead(blocksIn(readPieces(file)), senders)) {
        if (signal.aborted) break;
        if (await take(chain, block)) imported++;
        last = block;
        if (imported % HEAD_STEP_BLOCKS === HEAD_STEP_BLOCKS - 1) moveHead(chain, last);
      }
    } catch (error) {
      throw importFailure(file, last, error);
    } finally {
      if (last !== undefined) moveHead(chain, last);
    }
    log.info('imported chain file', { file, imported, head: chain.head.header.number, hash: chain.head.hash });
    if (signal.aborted) return;
  }
}

/** Transactions of the blocks that are read ahead. One block is read ahead, however large. */
const AHEAD_TRANSACTIONS = 1024;
const AHEAD_BLOCKS = 64;
/** Transactions that execute while the thread starts. Were they passed to it, both would recover them. */
const DURING_START = 384;

/**
 * Reads blocks ahead of their execution, so that their senders are recovered meanwhile.
 * An error of reading is thrown after the blocks that precede it.
 */
async function* withSendersAhead(
  blocks: AsyncIterable<UnexecutedBlock>,
  senders: SenderRecovery,
): AsyncIterable<UnexecutedBlock> {
  const queue: UnexecutedBlock[] = [];
  let waiting = 0;
  let left = DURING_START;
  try {
    for await (const block of blocks) {
      void senders.ahead(block.transactions.slice(left));
      left = Math.max(0, left - block.transactions.length);
      queue.push(block);
      waiting += block.transactions.length;
      while (queue.length > 1 && (waiting > AHEAD_TRANSACTIONS || queue.length > AHEAD_BLOCKS)) {
        const next = present(queue.shift(), 'block that is read ahead');
        waiting -= next.transactions.length;
        yield next;
      }
    }
  } catch (error) {
    yield* queue;
    throw error;
  }
  yield* queue;
}

/** Returns whether the block is new. */
async function take(chain: Chain, block: UnexecutedBlock): Promise<boolean> {
  const { hash, header } = block;
  if (chain.header(hash) !== undefined) return false;
  if (header.number === 0)
    throw new BlockInvalid('hash', `genesis block ${hash}, this chain’s is ${chain.genesisHash}`);
  if (chain.header(header.parentHash) === undefined)
    throw new BlockInvalid(
      'parentHash',
      `block ${header.number} (${hash}): its parent ${header.parentHash} is not known`,
    );
  await chain.insert(await validateBlock(chain, block));
  return true;
}

function moveHead(chain: Chain, { hash, header }: UnexecutedBlock): void {
  if (header.number > chain.head.header.number) chain.makeCanonical(hash);
}

function importFailure(file: string, last: UnexecutedBlock | undefined, cause: unknown): Failure {
  // It names another file: one of this package.
  if (cause instanceof Failure) throw cause;
  const isMissing = systemCode(cause) !== undefined && !isProtocolError(cause);
  if (!isMissing && !isProtocolError(cause) && !(cause instanceof BlockInvalid)) throw cause;
  const place = last === undefined ? 'at its first block' : `after block ${last.header.number}`;
  return new Failure(
    'import',
    isMissing ? `cannot read ${file}: ${messageOf(cause)}` : `${file} cannot be imported ${place}: ${messageOf(cause)}`,
    {
      data: { file, ...(last === undefined ? {} : { last: last.header.number }) },
      exit: isMissing ? EXIT.usage : EXIT.failed,
    },
  );
}
