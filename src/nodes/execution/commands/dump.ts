import { asBytes, rlpDecode } from '../../../protocol/codec/rlp.ts';
import { bytesToHex, hexToBytes, lowerHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { EXIT, Failure, systemCode } from '../../../system/failure.ts';
import { type ByteWriter, standardOutput } from '../../../system/files/byte-file.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { Chain } from '../chain/chain.ts';
import type { Alloc } from '../chain/genesis.ts';
import { accountIn, isEmptyCodeHash, storageOf } from '../state/account.ts';
import type { StateSource } from '../state/reader.ts';
import type { Leaf } from '../trie/node.ts';
import { entriesOf } from '../trie/walk.ts';
import { Preimages } from './preimages.ts';

/** Block and parts of a dump (geth: `DumpConfig`). */
export interface DumpOptions {
  /** Number or hash of a canonical block. Default: the head. */
  readonly block?: string;
  /** One JSON document per line instead of one for all. */
  readonly iterative: boolean;
  readonly code: boolean;
  readonly storage: boolean;
  readonly alloc: Alloc;
}

/**
 * Prints the state after a block in the JSON format of `geth dump` (geth: `DumpToCollector`, `IterativeDump`).
 * Keys with an unknown preimage are printed as `pre(hash)`. @throws Failure `usage`
 */
export async function dump(chain: Chain, options: DumpOptions, log: Logger, signal: AbortSignal): Promise<void> {
  const header = chain.knownHeader(hashOf(chain, options.block));
  const preimages = new Preimages(chain, header.number, options.alloc);
  const out = standardOutput();
  let accounts = 0;
  let unknown = 0;
  try {
    await out.write(opening(header.stateRoot, options.iterative));
    const { state } = chain.store;
    for (const [key, leaf] of entriesOf(state, state.root(hexToBytes(header.stateRoot)))) {
      if (signal.aborted) return;
      const hash = bytesToHex(key);
      const address = preimages.address(hash);
      const account = {
        ...(address === undefined ? {} : { address }),
        ...contentOf(state, leaf, options, preimages),
        key: hash,
      };
      await writeAccount(out, address ?? `pre(${hash})`, account, accounts, options.iterative);
      accounts++;
      if (address === undefined) unknown++;
    }
    if (!options.iterative) await out.write('\n    }\n}\n');
  } catch (error) {
    // The reader of the pipe has closed it.
    if (systemCode(error) !== 'EPIPE') throw error;
  }
  log.info('dumped state', { block: header.number, accounts, unknown });
}

function hashOf(chain: Chain, block: string | undefined): Hex {
  if (block === undefined) return chain.head.hash;
  const hash = /^0x[0-9a-fA-F]{64}$/.test(block)
    ? lowerHex(block)
    : /^\d{1,15}$/.test(block)
      ? chain.canonicalHash(Number(block))
      : undefined;
  if (hash !== undefined && chain.isCanonical(hash)) return hash;
  throw new Failure('usage', `dump: ${block} is not the number or hash of a canonical block`, {
    exit: EXIT.usage,
    data: { block },
    hint: `the chain has blocks 0 to ${chain.head.header.number}`,
  });
}

function opening(root: Hex, iterative: boolean): string {
  return iterative ? `${JSON.stringify({ root })}\n` : `{\n    "root": "${root.slice(2)}",\n    "accounts": {`;
}

async function writeAccount(out: ByteWriter, name: string, account: object, position: number, iterative: boolean) {
  if (iterative) return out.write(`${JSON.stringify(account)}\n`);
  const text = JSON.stringify(account, null, 4).replaceAll('\n', '\n        ');
  await out.write(`${position === 0 ? '' : ','}\n        ${JSON.stringify(name)}: ${text}`);
}

function contentOf(state: StateSource, leaf: Leaf, { code, storage }: DumpOptions, preimages: Preimages): object {
  const account = accountIn(leaf);
  const { balance, nonce, storageRoot, codeHash } = account;
  const words: Record<string, Hex> = {};
  if (storage)
    for (const [key, { value }] of entriesOf(state, storageOf(account))) {
      const hash = bytesToHex(key);
      words[preimages.slot(hash) ?? `pre(${hash})`] = bytesToHex(asBytes(rlpDecode(value), 'storage word'));
    }
  return {
    balance: String(balance),
    nonce: Number(nonce),
    root: bytesToHex(storageRoot),
    codeHash: bytesToHex(codeHash),
    ...(code && !isEmptyCodeHash(codeHash) ? { code: bytesToHex(state.code(codeHash)) } : {}),
    ...(storage ? { storage: words } : {}),
  };
}
