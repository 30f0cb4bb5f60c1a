import { readAlloc } from '../../../protocol/genesis/extra-alloc.ts';
import { readUpgradeBundle } from '../../../protocol/genesis/file/bundle-file.ts';
import { parseGenesis } from '../../../protocol/genesis/file/genesis-fields.ts';
import { forkDisorder, readRollupConfig } from '../../../protocol/genesis/file/rollup-file.ts';
import { parseUniqueJson } from '../../../protocol/genesis/file/unique-json.ts';
import { genesisFunds } from '../../../protocol/genesis/funds.ts';
import { readRollupGenesis, rollupGenesisHash } from '../../../protocol/genesis/genesis-file.ts';
import type { Hex } from '../../../protocol/types.ts';
import { messageOf } from '../../../system/failure.ts';
import { DECIDED } from '../resolve/document.ts';
import type { Path } from '../schema/json.ts';
import { type Check, type CheckContext, chainsOf } from './check.ts';

/** Keys of a chain that its own files decide. */
const SAID = [...DECIDED, 'alloc'];

/** An existing chain is as its files say, and the files can be read. */
export const chainFiles: Check = (context) => {
  for (const [name, { from }] of chainsOf(context)) {
    if (from === null) continue;
    for (const key of SAID.filter((each) => context.isGiven(['chains', name, each])))
      context.reportKey(
        ['chains', name, key],
        'chain-files',
        `${key} is said by the chain's own files, ${from.rollup} and ${from.genesis}`,
      );
    const path: Path = ['chains', name, 'from'];
    readInto(context, [...path, 'rollup'], from.rollup, 'a rollup configuration', (document) => {
      const read = readRollupConfig(document);
      const problems = read.ok ? forkDisorder(read.value) : read.problems;
      if (read.ok && problems.length === 0) context.files.rollupConfigs[from.rollup] = read.value;
      return problems;
    });
    const readGenesis = (document: unknown) => {
      const read = readRollupGenesis(document);
      if (!read.ok) return read.problems;
      context.files.genesisConfigs[from.genesis] = read.value.config;
      context.files.genesisFunds[from.genesis] = genesisFunds(read.value.alloc);
      checkHash(context, [...path, 'genesis'], from, rollupGenesisHash(read.value));
      return [];
    };
    readInto(context, [...path, 'genesis'], from.genesis, 'a genesis file', readGenesis, parseGenesis);
  }
};

/** The genesis block that the genesis file gives is the one of rollup.json. */
function checkHash(
  context: CheckContext,
  path: Path,
  { genesis, rollup }: { readonly genesis: string; readonly rollup: string },
  computed: Hex,
): void {
  const stated = context.files.rollupConfigs[rollup]?.genesis.l2.hash;
  if (stated === undefined || stated === computed) return;
  const message = `the genesis block of ${genesis} is ${computed}, and genesis.l2.hash of ${rollup} is ${stated}`;
  context.report(path, 'chain-files', message, {
    allowed: 'the genesis file and the rollup configuration of one chain',
  });
}

/** Upgrade bundles of the user's own can be read. */
export const bundleFiles: Check = (context) => {
  for (const [name, { bundles }] of chainsOf(context))
    for (const [fork, file] of Object.entries(bundles))
      readInto(context, ['chains', name, 'bundles', fork], file, 'an upgrade bundle', (document) => {
        const read = readUpgradeBundle(document);
        if (!read.ok) return read.problems;
        context.files.bundleTexts[file] = `${JSON.stringify(document)}\n`;
        return [];
      });
};

/** Accounts of the user's own can be read. */
export const allocFiles: Check = (context) => {
  const read = (path: Path, file: string | null) => {
    if (file === null) return;
    const readAccounts = (document: unknown) => {
      const accounts = readAlloc(document);
      if (!accounts.ok) return accounts.problems;
      context.files.allocs[file] = accounts.value;
      return [];
    };
    readInto(context, path, file, 'a map of accounts, as the alloc of a genesis file is', readAccounts, parseGenesis);
  };
  read(['l1', 'alloc'], context.spec.l1.alloc);
  for (const [name, { alloc, from }] of chainsOf(context)) if (from === null) read(['chains', name, 'alloc'], alloc);
};

/** Reads a JSON file of the user's. `take` keeps its content and returns what is wrong with it. */
function readInto(
  context: CheckContext,
  path: Path,
  file: string,
  kind: string,
  take: (document: unknown) => readonly string[],
  parse: (text: string) => unknown = parseUniqueJson,
): void {
  if (context.machine === undefined) return;
  let problems: readonly string[];
  try {
    problems = take(context.machine.readJson(file, parse));
  } catch (error) {
    context.report(path, 'chain-files', messageOf(error), { allowed: `the path of ${kind}` });
    return;
  }
  if (problems.length > 0)
    context.report(path, 'chain-files', `${file} is not ${kind}: ${problems.join('; ')}`, { allowed: kind });
}
