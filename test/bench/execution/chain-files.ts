import { join } from 'node:path';
import { openChain } from '../../../src/nodes/execution/chain/datadir.ts';
import { exportFile } from '../../../src/nodes/execution/commands/export.ts';
import { decodeDeposit, encodeDeposit } from '../../../src/protocol/codec/deposit.ts';
import { bytesToHex, hexToBytes } from '../../../src/protocol/hex.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { createLogger } from '../../../src/system/program/log.ts';
import { l1Info } from '../../nodes/execution/support/driver.ts';
import { GAS_LIMIT, GENESIS_TIME } from '../../nodes/execution/support/genesis.ts';
import { nextBlock } from './next-block.ts';
import { ARITHMETIC, HASHING, Sender } from './workload.ts';

/** Transactions of the next blocks. */
type Blocks = Iterable<readonly Uint8Array[]>;

/** A chain of one kind of work, as a file that `import` reads. */
export interface ChainFile {
  readonly name: string;
  readonly file: string;
  /** Millions of gas. */
  readonly mgas: number;
}

/** Gas that a block has for the transactions after its L1 attributes. */
const ROOM = GAS_LIMIT - 1_000_000;
/** Gas of a token transfer to a new holder, and the limit of one. */
const TOKEN_GAS = 50_200;
const TOKEN_LIMIT = 80_000;
/** Token transfers of a block that is traced. */
export const TRACED = 422;
/** Logs of the chain that is read. */
export const LOGS = 4000;

/** The blocks of the five rows. */
const KINDS: readonly (readonly [name: string, blocks: (sender: Sender) => Blocks])[] = [
  ['6,000 transfers to new accounts', (sender) => filled(6000, 21_000, 21_000, (at) => sender.transfer(at))],
  ['4,000 token transfers', (sender) => filled(4000, TOKEN_GAS, TOKEN_LIMIT, (at) => sender.token(at))],
  ['arithmetic loops', (sender) => filled(63, 9_600_000, 9_600_000, () => sender.loop(ARITHMETIC, 9_600_000))],
  ['keccak loops (64 bytes)', (sender) => filled(63, 9_600_000, 9_600_000, () => sender.loop(HASHING, 9_600_000))],
  ['storage writers', (sender) => filled(260, 2_330_000, 3_050_000, (at) => sender.slots(at * 100, 100))],
];

/** Fills blocks with `count` transactions of some gas and limit each. */
function* filled(count: number, gas: number, limit: number, make: (at: number) => Uint8Array): Blocks {
  let block: Uint8Array[] = [];
  let used = 0;
  for (let at = 0; at < count; at++) {
    if (used + limit > ROOM) {
      yield block;
      block = [];
      used = 0;
    }
    block.push(make(at));
    used += gas;
  }
  yield block;
}

/** Blocks of token transfers, then a block that transfers fill: 1,428 transactions with its L1 attributes. */
function* readBlocks(sender: Sender): Blocks {
  for (let at = 0; at < LOGS; at += TRACED)
    yield Array.from({ length: Math.min(TRACED, LOGS - at) }, (_, index) => sender.token(at + index));
  yield Array.from({ length: 1427 }, (_, at) => sender.transfer(at));
}

/** Writes the chains of the five rows into a folder. */
export async function importFilesIn(folder: string, genesis: string): Promise<ChainFile[]> {
  const files: ChainFile[] = [];
  for (const [index, [name, blocks]] of KINDS.entries())
    files.push({ name, ...(await write(folder, genesis, `chain-${index}`, blocks(new Sender()))) });
  return files;
}

/** Writes the chain that is read into a folder. */
export const readFileIn = async (folder: string, genesis: string): Promise<string> =>
  (await write(folder, genesis, 'chain-read', readBlocks(new Sender()))).file;

/** The L1 attributes of ecotone with the words of L1Block at genesis. op-geth reads them again for receipts. */
function l1Attributes(number: number): Hex {
  const word = (value: number) => value.toString(16).padStart(64, '0');
  const scalars = '0000146b000f79c5';
  const times = [3, GENESIS_TIME + number, number].map((value) => value.toString(16).padStart(16, '0')).join('');
  const data: Hex = `0x440a5e20${scalars}${times}${word(10_000_000_000)}${word(684_000)}${word(number)}${word(1)}`;
  return bytesToHex(encodeDeposit({ ...decodeDeposit(hexToBytes(l1Info(number))), data }));
}

async function write(folder: string, genesis: string, name: string, blocks: Blocks) {
  const chain = openChain({ datadir: join(folder, `${name}-source`), genesis, overrides: {} });
  const file = join(folder, `${name}.rlp`);
  const log = createLogger({ level: 'error', format: 'text', color: false, pid: false });
  let gas = 0n;
  try {
    for (const transactions of blocks) {
      const executor = await nextBlock(chain, l1Attributes);
      for (const raw of transactions) await executor.run(raw);
      const executed = await executor.seal();
      const failed = executed.receipts.findIndex(({ status }) => !status);
      if (failed > 0) throw new Error(`transaction ${failed} of a block of ${name} fails`);
      gas += executed.header.gasUsed;
      await chain.insert(executed);
      chain.makeCanonical(executed.hash);
    }
    const { number } = chain.head.header;
    await exportFile(chain, file, ['1', `${number}`], log, new AbortController().signal);
  } finally {
    chain.store.close();
  }
  return { file, mgas: Number(gas) / 1e6 };
}
