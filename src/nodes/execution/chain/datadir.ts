import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { decodeHeader, encodeHeader, headerHash } from '../../../protocol/codec/header.ts';
import { rlpEncode } from '../../../protocol/codec/rlp.ts';
import type { ForkSchedule } from '../../../protocol/forks/index.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import { runToCompletion } from '../../../protocol/resumable.ts';
import type { Hex } from '../../../protocol/types.ts';
import { EXIT, Failure } from '../../../system/failure.ts';
import { type Cache, crc32, openCache } from '../../../system/files/cache.ts';
import { copyExclusive } from '../../../system/files/copy.ts';
import { exists, makeFolders, remove } from '../../../system/files/folder.ts';
import { encodeStored } from '../block/receipt.ts';
import { ChainStore } from '../store/chain-store.ts';
import { type Database, databaseFile, openDatabase, STORE_VERSION } from '../store/database.ts';
import { Chain, type StateRetention } from './chain.ts';
import { checkDefinition, checkForkTimes } from './definition-change.ts';
import { type ChainDefinition, defineChain, genesisHeader, genesisState } from './genesis.ts';
import { type GenesisFile, readGenesisFile } from './genesis-file.ts';

/** Options of a chain in a datadir. */
export interface DatadirOptions {
  readonly datadir: string;
  /** Path of genesis.json. Without it the datadir must be initialised. */
  readonly genesis?: string;
  /** Folder of initialised genesis states, which all nodes of a machine share. */
  readonly genesisCache?: string;
  /** Fork times of this node's options. */
  readonly overrides: ForkSchedule;
  readonly stateRetention?: StateRetention;
  /** Blocks will be executed. Fork times that differ from those of earlier blocks are an error. */
  readonly executes?: boolean;
  /** Only the genesis block is written. It need not survive a crash of the machine. */
  readonly initialisesOnly?: boolean;
  /** Receives a warning for each unknown key of the genesis file. */
  readonly warn?: (message: string) => void;
}

/**
 * Opens the chain of a datadir. Initialises an empty one if a genesis file is given.
 * Counterparts: `SetupGenesisBlock` of geth, `init_genesis` of reth. @throws Failure
 */
export function openChain(options: DatadirOptions): Chain {
  const genesis = options.genesis === undefined ? undefined : readGenesisFile(options.genesis);
  if (genesis !== undefined) warnOfKeys(genesis, options);
  if (genesis !== undefined && !exists(databaseFile(options.datadir)) && options.genesisCache !== undefined)
    copyFromCache(genesis, options.genesisCache, options.datadir);
  const db = openDatabase(options.datadir, options.initialisesOnly);
  try {
    return chainOf(db, genesis, options);
  } catch (error) {
    db.close();
    throw error;
  }
}

function warnOfKeys({ definition }: GenesisFile, { genesis, warn }: DatadirOptions): void {
  for (const key of definition.unknownKeys) warn?.(`${genesis}: the key ${key} is unknown and ignored`);
}

function chainOf(db: Database, genesis: GenesisFile | undefined, options: DatadirOptions): Chain {
  const store = new ChainStore(db);
  if (store.canonicalHash(0) === undefined) {
    if (genesis === undefined)
      throw new Failure('datadir-empty', `the datadir ${options.datadir} holds no chain`, {
        data: { datadir: options.datadir },
        exit: EXIT.usage,
        hint: 'initialise it first: execution-client init --datadir=DIR genesis.json; or give --chain=genesis.json',
      });
    if (store.fact('state-root') === undefined) store.transaction(() => writeState(store, genesis));
    store.transaction(() => writeGenesisBlock(store, genesis));
  }
  const definition = definitionOf(store, genesis, options);
  const schedule = { ...definition.schedule, ...options.overrides };
  if (options.executes) noteForkTimes(store, schedule, options.datadir);
  return new Chain(store, definition, schedule, options.stateRetention);
}

/** Stores the fork times in force. @throws Failure `genesis-mismatch` if earlier blocks used other times */
function noteForkTimes(store: ChainStore, schedule: ForkSchedule, datadir: string): void {
  const text = JSON.stringify(schedule);
  const was = executedTimes(store) ?? text;
  if (store.fact('fork-times') !== undefined && was === text) return;
  const genesis = decodeHeader(store.knownHeader(genesisHashOf(store)));
  const head = decodeHeader(store.knownHeader(store.knownFact('head')));
  checkForkTimes(JSON.parse(was), schedule, { genesis, head }, datadir);
  store.setFact('fork-times', bytesToHex(Buffer.from(text)));
}

/** Returns the fork times by which the blocks were executed, as JSON; undefined before the first start. */
function executedTimes(store: ChainStore): string | undefined {
  const stored = store.fact('fork-times');
  return stored === undefined ? undefined : Buffer.from(hexToBytes(stored)).toString('utf8');
}

/** Returns the definition of the given genesis file, else the one that the datadir stores. */
function definitionOf(store: ChainStore, genesis: GenesisFile | undefined, options: DatadirOptions): ChainDefinition {
  const text = Buffer.from(hexToBytes(store.knownFact('definition'))).toString('utf8');
  const stored = defineChain(text, options.datadir);
  if (genesis === undefined) return stored;
  checkGenesis(store, genesis, options);
  if (genesis.definition.text === text) return stored;
  const times = executedTimes(store);
  checkDefinition(
    stored,
    genesis.definition,
    { executed: times === undefined ? undefined : JSON.parse(times), overrides: options.overrides },
    decodeHeader(store.knownHeader(store.knownFact('head'))),
    options.datadir,
  );
  store.setFact('definition', bytesToHex(Buffer.from(genesis.definition.text)));
  return genesis.definition;
}

/** Writes the state of `alloc`, its key and its roots. */
function writeState(store: ChainStore, genesis: GenesisFile): void {
  const state = genesisState(genesis.alloc());
  store.state.write(state);
  store.setFact('alloc-key', `0x${genesis.allocKey}`);
  store.setFact('state-root', bytesToHex(state.stateRoot));
  store.setFact('message-passer-root', bytesToHex(state.messagePasserRoot));
}

function writeGenesisBlock(store: ChainStore, { definition }: GenesisFile): void {
  const header = genesisHeader(definition, {
    stateRoot: hexToBytes(store.knownFact('state-root')),
    messagePasserRoot: hexToBytes(store.knownFact('message-passer-root')),
  });
  const hash = headerHash(header);
  const receipts = runToCompletion(encodeStored({ receipts: [], feeFields: {} }));
  store.insert({ hash, number: 0, header: encodeHeader(header), body: rlpEncode([]), receipts });
  store.addCanonical([{ hash, number: 0, transactions: [], logValues: [] }]);
  store.setFact('head', hash);
  store.setFact('definition', bytesToHex(Buffer.from(definition.text)));
}

function genesisHashOf(store: ChainStore): Hex {
  return present(store.canonicalHash(0), 'genesis block');
}

/**
 * Checks that the datadir holds the chain of the genesis file (geth: `GenesisMismatchError`).
 * @throws Failure `genesis-mismatch` if the datadir holds another chain
 */
function checkGenesis(store: ChainStore, genesis: GenesisFile, options: DatadirOptions): void {
  const stored = genesisHashOf(store);
  const roots =
    store.fact('alloc-key') === `0x${genesis.allocKey}`
      ? {
          stateRoot: hexToBytes(store.knownFact('state-root')),
          messagePasserRoot: hexToBytes(store.knownFact('message-passer-root')),
        }
      : genesisState(genesis.alloc());
  const fileHash = headerHash(genesisHeader(genesis.definition, roots));
  if (fileHash === stored) return;
  throw new Failure(
    'genesis-mismatch',
    `the datadir ${options.datadir} holds another chain: ` +
      `its genesis block is ${stored}, that of ${options.genesis} is ${fileHash}`,
    {
      data: { datadir: options.datadir, stored, given: fileHash },
      exit: EXIT.usage,
      hint: 'use another --datadir for this chain, or remove the old one',
    },
  );
}

/**
 * Copies the initialised genesis state from the cache into a new datadir.
 * A missing entry is created first, also by several processes at once. Without a writable cache the datadir is
 * initialised directly.
 */
function copyFromCache(genesis: GenesisFile, folder: string, datadir: string): void {
  const cache = openCache(folder, crc32);
  const key = `${genesis.allocKey}.v${STORE_VERSION}.db`;
  const cached = cache.find(key) ?? makeCached(genesis, cache, key, folder);
  if (cached === undefined) return;
  try {
    makeFolders(datadir);
    copyExclusive(cached, databaseFile(datadir));
  } catch {
    // Another process may evict the entry at any moment. Other causes are reported when the datadir opens.
  }
}

function makeCached(genesis: GenesisFile, cache: Cache, key: string, folder: string): string | undefined {
  const making = join(folder, `${genesis.allocKey}.${randomBytes(4).toString('hex')}.tmp`);
  try {
    const db = openDatabase(making);
    try {
      const store = new ChainStore(db);
      store.transaction(() => writeState(store, genesis));
    } finally {
      db.close();
    }
    return cache.adopt(key, databaseFile(making));
  } catch {
    return undefined;
  } finally {
    remove(making);
  }
}
