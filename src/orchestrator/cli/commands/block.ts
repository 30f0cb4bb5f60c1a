import { quantity } from '../../../protocol/hex.ts';
import { EXIT, Failure } from '../../../system/failure.ts';
import { selectDevnet, viewOf } from '../../devnet/select.ts';
import { chainOf } from '../../devnet/select-chain.ts';
import type { Io } from '../../terminal/io.ts';
import { type CommandDefinition, type OptionValues, textOption } from '../input/command.ts';
import { DEVNET_OPTIONS } from '../input/devnet-options.ts';
import { PLACE_OPTIONS, showFound } from '../input/inspect.ts';

/** Names of blocks. `unsafe` is the newest one, as rollup nodes call it. */
const TAGS: Readonly<Record<string, string>> = {
  latest: 'latest',
  unsafe: 'latest',
  safe: 'safe',
  finalized: 'finalized',
};

export const command: CommandDefinition = {
  name: 'block',
  group: 'look into its chains',
  summary: 'print a block of L1 or L2, decoded: transactions, L1 origin, and the batch that carried it',
  examples: ['devnet block', 'devnet block 40 --node verifier', 'devnet block 0x5fe7f977', 'devnet block safe --json'],
  exits: { 1: 'no chain has it' },
  arguments: [
    {
      syntax: '[block]',
      description: 'a number, a hash or its first digits, latest, safe or finalized; default: latest',
    },
  ],
  options: [...PLACE_OPTIONS, { flags: '--json', description: 'one JSON document' }, ...DEVNET_OPTIONS],
  async run(io, [word = 'latest'], options) {
    const block = blockOf(String(word));
    if (block === undefined)
      throw new Failure(
        'usage',
        `block: expected a number, a hash, latest, safe or finalized, found ${JSON.stringify(word)}`,
        { exit: EXIT.usage },
      );
    const [{ readBlock }, { blockLines }, { hashOfPrefix }] = await Promise.all([
      import('../../inspect/block.ts'),
      import('../../inspect/text.ts'),
      import('../../inspect/hash-prefix.ts'),
    ]);
    const isHash = 'prefix' in block;
    const values: OptionValues = isHash ? options : { ...options, chain: chainName(io, options) };
    let whole: Promise<string> | undefined;
    return showFound(io, values, `block ${String(word)}`, blockLines, async (inspector, layer, layers) => {
      if (!isHash) return readBlock(inspector, layer, block.id);
      whole ??= hashOfPrefix(layers, 'block', block.prefix);
      return readBlock(inspector, layer, await whole);
    });
  },
};

/** Returns the chain of a block that has no hash. @throws Failure `chain` (exit 2) if several fit */
function chainName(io: Io, options: OptionValues): string {
  const chain = textOption(options, 'chain');
  return (
    chain ?? chainOf(viewOf(selectDevnet(io, textOption(options, 'name'))).plan, textOption(options, 'chain')).name
  );
}

/** Returns a block as RPC methods take it; undefined if the word names none. */
function blockOf(word: string): { readonly id: string } | { readonly prefix: string } | undefined {
  if (/^0x[0-9a-fA-F]{4,64}$/.test(word)) return { prefix: word };
  const id = /^(0|[1-9]\d{0,14})$/.test(word) ? quantity(Number(word)) : TAGS[word];
  return id === undefined ? undefined : { id };
}
