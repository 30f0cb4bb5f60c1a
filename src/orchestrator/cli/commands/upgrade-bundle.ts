import { resolve } from 'node:path';
import { FORKS, type Fork, findFork } from '../../../protocol/forks/index.ts';
import { bundleDifferences, makeBundle, sourceHashOf } from '../../../protocol/forks/make-bundle.ts';
import { readUpgradeBundle } from '../../../protocol/genesis/file/bundle-file.ts';
import type { UpgradeBundle, UpgradeTransaction } from '../../../protocol/types.ts';
import { EXIT, Failure, messageOf } from '../../../system/failure.ts';
import { replaceFile } from '../../../system/files/folder.ts';
import { ownBundle } from '../../load/package-files.ts';
import { jsonOf, publishedTransactions } from '../input/bundle-input.ts';
import { type CommandDefinition, listOption, textOption } from '../input/command.ts';

export const command: CommandDefinition = {
  name: 'upgrade-bundle',
  group: 'specs and clients',
  summary: 'make the upgrade bundle of a fork from published transactions, or check one',
  examples: ['devnet upgrade-bundle --help'],
  arguments: [
    { syntax: '<fork>', description: 'a fork that brings upgrade transactions' },
    {
      syntax: '<files...>',
      description: 'hex of encoded transactions (0x7e…), or of the code of each contract, in order',
    },
  ],
  options: [
    { flags: '-o, --out <file>', description: 'the bundle to write; absent: stdout' },
    { flags: '--check', description: 'the files are bundles: print their contents and check that they fit the fork' },
    { flags: '--intent <text>', description: 'intent of each file if the fork is not known', repeatable: true },
    { flags: '--source <text>', description: 'where the transactions were published', default: 'given files' },
  ],
  forPrograms: () => true,
  async run(io, [name, names], options) {
    const fork = forkOf(String(name));
    const files = [names ?? []].flat().map((file) => ({ file, path: resolve(io.cwd, file) }));
    const reference = specifiedTransactions(fork);
    if (options['check'] === true) {
      const faults = files.flatMap(({ file, path }) => {
        const { transactions } = readBundle(path);
        io.stdout(`${file}: ${fork.name}, ${transactions.length} transactions\n${table(fork, transactions)}`);
        return bundleDifferences(transactions, reference).map((difference) => `${file}: ${difference}`);
      });
      for (const fault of faults) io.stderr(`${fault}\n`);
      return faults.length === 0 ? EXIT.done : EXIT.usage;
    }
    const bundle = bundleFrom(fork, files, reference, options);
    const text = `${JSON.stringify(bundle, null, 2)}\n`;
    const out = textOption(options, 'out');
    if (out === undefined) {
      io.stdout(text);
      return EXIT.done;
    }
    replaceFile(resolve(io.cwd, out), text);
    io.stderr(`${out}: ${fork.name}, ${bundle.transactions.length} transactions\n${table(fork, bundle.transactions)}`);
    io.stderr(`use it in a spec: chains: { main: { bundles: { ${fork.name}: ${out} } } }\n`);
    return EXIT.done;
  },
};

/** Returns the transactions of a fork as they are specified; empty if the package does not know them. */
function specifiedTransactions({ name }: Fork): readonly UpgradeTransaction[] {
  const bundle = ownBundle(name);
  return bundle === undefined || bundle.metadata['specified'] === false ? [] : bundle.transactions;
}

function bundleFrom(
  fork: Fork,
  files: readonly { readonly file: string; readonly path: string }[],
  reference: readonly UpgradeTransaction[],
  options: Readonly<Record<string, unknown>>,
): UpgradeBundle {
  const published = files.flatMap(({ path }) => publishedTransactions(path));
  const intents = listOption(options, 'intent');
  try {
    return makeBundle({ fork, published, specification: reference, intents, source: String(options['source']) });
  } catch (error) {
    throw new Failure('upgrade-bundle', messageOf(error), { exit: EXIT.usage });
  }
}

/** Finds a fork that has upgrade transactions. @throws Failure `upgrade-bundle` (exit 2) */
function forkOf(name: string): Fork {
  const fork = findFork(name);
  if (fork !== undefined && fork.upgrade !== null) return fork;
  throw new Failure('upgrade-bundle', `unknown upgrade "${name}"`, {
    exit: EXIT.usage,
    hint: `expected one of ${FORKS.flatMap((each) => (each.upgrade === null ? [] : [each.name])).join(', ')}`,
  });
}

function readBundle(path: string): UpgradeBundle {
  const read = readUpgradeBundle(jsonOf(path));
  if (read.ok) return read.value;
  throw new Failure('upgrade-bundle', `${path} is not an upgrade bundle: ${read.problems.join('; ')}`, {
    exit: EXIT.usage,
  });
}

function table(fork: Fork, transactions: readonly UpgradeTransaction[]): string {
  return transactions
    .map(({ intent, from, to, gasLimit, data }, index) => {
      const bytes = (data.length - 2) / 2;
      const hash = sourceHashOf(fork, intent, index);
      const sizes = `gas ${gasLimit}, ${bytes} bytes`;
      return `  ${index} ${intent}: ${from} → ${to ?? 'create'}, ${sizes}, source hash ${hash}\n`;
    })
    .join('');
}
