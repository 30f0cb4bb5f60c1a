import { EXIT, Failure } from '../../../../system/failure.ts';
import { type L1Reorg, reorganiseL1 } from '../../../change/l1.ts';
import { selectDevnet } from '../../../devnet/select.ts';
import { type CommandDefinition, listOption, textOption } from '../../input/command.ts';
import { DEVNET_OPTIONS } from '../../input/devnet-options.ts';

/** Blocks of one reorganisation: L1 has the states of so many. */
const MAX_DEPTH = 128;

/** Transactions that one reorganisation leaves out. */
const MAX_DROPPED = 20;

export const command: CommandDefinition = {
  name: 'l1 reorg',
  group: 'change a network',
  summary: 'replace the newest blocks of L1 by others in the same slots, with their transactions',
  examples: ['devnet l1 reorg 2', `devnet l1 reorg 3 --drop 0x${'5c'.repeat(32)}`],
  exits: { 1: 'L1 was not reorganised: the message has the reason' },
  arguments: [{ syntax: '<blocks>', description: 'how many blocks, counted from the head' }],
  options: [
    { flags: '--drop <transaction>', description: 'leave this transaction out of L1', repeatable: true },
    { flags: '--json', description: 'one JSON document' },
    ...DEVNET_OPTIONS,
  ],
  async run(io, [blocks], options) {
    const depth = depthOf(String(blocks));
    const drop = listOption(options, 'drop');
    const wrong = drop.find((hash) => !/^0x[0-9a-f]{64}$/i.test(hash));
    if (wrong !== undefined || drop.length > MAX_DROPPED)
      throw new Failure(
        'usage',
        wrong === undefined
          ? `--drop: expected at most ${MAX_DROPPED} transactions`
          : `--drop: expected the hash of a transaction, found ${JSON.stringify(wrong)}`,
        { exit: EXIT.usage },
      );
    const reorg = await reorganiseL1(selectDevnet(io, textOption(options, 'name')), depth, drop);
    io.stdout(options['json'] === true ? `${JSON.stringify(reorg, null, 2)}\n` : textOf(reorg, drop.length));
    return EXIT.done;
  },
};

/** @throws Failure `usage` */
function depthOf(text: string): number {
  const depth = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (depth >= 1 && depth <= MAX_DEPTH) return depth;
  throw new Failure('usage', `expected 1 to ${MAX_DEPTH} blocks, found ${JSON.stringify(text)}`, { exit: EXIT.usage });
}

function textOf({ common, from, to, sent, refused }: L1Reorg, dropped: number): string {
  const left = dropped === 0 ? '' : `, ${dropped} left out`;
  const rejected = refused === 0 ? '' : `, ${refused} no longer fit`;
  return (
    `L1 was reorganised from block ${common.number + 1} on: block ${to.number} was ${from.hash} and is ${to.hash}\n` +
    `its transactions: ${sent} sent again${left}${rejected}\n`
  );
}
