import { u64be } from '../bytes.ts';
import { type BlockHeader, headerHash } from '../codec/header.ts';
import { EMPTY_REQUESTS_HASH, EMPTY_TRIE_ROOT } from '../execution/constants.ts';
import { rulesAt, scheduleOfGenesis } from '../forks/index.ts';
import { bytesToHex } from '../hex.ts';
import type { HeaderRules } from '../rules/rules.ts';
import type { Hex } from '../types.ts';
import type { GenesisRoots } from './contracts.ts';
import { type AccountRules, isMap, readAccounts, type StatedAccount } from './file/account-reader.ts';
import { genesisConfigProblems, isRollupConfig } from './file/genesis-config.ts';
import { type GenesisFields, genesisFields } from './file/genesis-fields.ts';
import type { FileContent } from './file/rollup-file.ts';
import { l2GenesisRoots, type RootedAccount } from './roots.ts';

/** State of the genesis block as genesis.json states it, by address (geth: `GenesisAlloc`). */
export type StatedAlloc = Readonly<Record<Hex, StatedAccount>>;

/** A rollup's genesis file. */
export interface RollupGenesis {
  readonly config: Readonly<Record<string, unknown>>;
  readonly fields: GenesisFields;
  readonly alloc: StatedAlloc;
}

const RULES: AccountRules = { prefix: 'alloc.', nonceBits: 64, ignoresUnknownKeys: true };

/** Reads the `alloc` of a genesis file. Keys that other programs write into accounts are ignored. */
export function readGenesisAlloc(alloc: unknown): FileContent<StatedAlloc> {
  if (!isMap(alloc)) return { ok: false, problems: ['alloc: expected a map of accounts by address'] };
  const problems: string[] = [];
  const value = readAccounts(alloc, RULES, problems);
  return problems.length === 0 ? { ok: true, value } : { ok: false, problems };
}

/** Reads a rollup's genesis file from the document that `parseGenesis` returned. Returns every problem with its key. */
export function readRollupGenesis(document: unknown): FileContent<RollupGenesis> {
  if (!isMap(document)) return { ok: false, problems: ['expected a map with config, alloc and header fields'] };
  const { config } = document;
  const problems = [...genesisConfigProblems(config)];
  if (isMap(config) && !isRollupConfig(config))
    problems.push("config.optimism: expected a rollup's EIP-1559 parameters");
  const fields = genesisFields(document);
  const alloc = readGenesisAlloc(document['alloc']);
  if (!fields.ok) problems.push(...fields.problems);
  if (!alloc.ok) problems.push(...alloc.problems);
  if (!isMap(config) || !fields.ok || !alloc.ok || problems.length > 0) return { ok: false, problems };
  return { ok: true, value: { config, fields: fields.value, alloc: alloc.value } };
}

/** Computes the genesis hash of a rollup's genesis file. It takes about 0.1 ms per account. */
export function rollupGenesisHash({ config, fields, alloc }: RollupGenesis): Hex {
  const accounts = new Map<Hex, RootedAccount>();
  for (const [address, { balance = '0x0', nonce = '0x0', code = '0x', storage = {} }] of Object.entries(alloc)) {
    const words = Object.entries(storage).filter(([, value]) => !/^0x0*$/.test(value));
    accounts.set(address as Hex, {
      balance: BigInt(balance),
      nonce: BigInt(nonce),
      code,
      storage: Object.fromEntries(words),
    });
  }
  const { header } = rulesAt(scheduleOfGenesis(config), fields.timestamp);
  return headerHash(headerOfFields(fields, header, l2GenesisRoots(accounts)));
}

/**
 * Returns the header of block 0 (specification: genesis block).
 * Counterparts: `toBlockWithRoot` of geth, `make_genesis_header` of reth.
 */
export function headerOfFields(fields: GenesisFields, rules: HeaderRules, roots: GenesisRoots): BlockHeader {
  const withdrawalsRoot = {
    absent: undefined,
    empty: EMPTY_TRIE_ROOT,
    list: EMPTY_TRIE_ROOT,
    'message-passer': roots.messagePasserRoot,
  }[rules.withdrawalsRoot];
  return {
    parentHash: fields.parentHash,
    beneficiary: fields.coinbase,
    stateRoot: roots.stateRoot,
    transactionsRoot: EMPTY_TRIE_ROOT,
    receiptsRoot: EMPTY_TRIE_ROOT,
    logsBloom: `0x${'00'.repeat(256)}`,
    number: 0,
    gasLimit: fields.gasLimit,
    gasUsed: fields.gasUsed,
    timestamp: fields.timestamp,
    extraData: fields.extraData,
    mixHash: fields.mixHash,
    ...(fields.nonce === 0n ? {} : { nonce: bytesToHex(u64be(fields.nonce)) }),
    baseFeePerGas: fields.baseFeePerGas,
    ...(withdrawalsRoot === undefined ? {} : { withdrawalsRoot }),
    ...(rules.beaconRoot
      ? {
          blobGasUsed: fields.blobGasUsed,
          excessBlobGas: fields.excessBlobGas,
          parentBeaconBlockRoot: fields.parentBeaconBlockRoot,
        }
      : {}),
    ...(rules.requestsHash ? { requestsHash: EMPTY_REQUESTS_HASH } : {}),
  };
}
