import { EXIT } from '../../../system/failure.ts';
import { mustBeUp, selectDevnet, viewOf } from '../../devnet/select.ts';
import { chainOf } from '../../devnet/select-chain.ts';
import { fitToTerminal } from '../../terminal/fit.ts';
import { type GameView, readGames } from '../../traffic/games/games.ts';
import { chainAt } from '../../traffic/transaction.ts';
import { type CommandDefinition, textOption } from '../input/command.ts';
import { DEVNET_OPTIONS } from '../input/devnet-options.ts';
import { numberOption } from '../input/number-option.ts';

const DEFAULT_COUNT = 10;

export const command: CommandDefinition = {
  name: 'games',
  group: 'look at a network',
  summary: 'print the newest dispute games on L1: the output that each claims, its moves and its state',
  examples: ['devnet games', 'devnet games main --json'],
  arguments: [{ syntax: '[chain]', description: 'the rollup chain; may be left out if the devnet has one' }],
  options: [
    { flags: '--count <number>', description: 'how many games', default: String(DEFAULT_COUNT) },
    { flags: '--json', description: 'one JSON document' },
    ...DEVNET_OPTIONS,
  ],
  async run(io, [chain], options) {
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const { plan } = viewOf(devnet);
    const view = chainOf(plan, typeof chain === 'string' ? chain : undefined);
    const count = numberOption(options, 'count', 1, 1000) ?? DEFAULT_COUNT;
    mustBeUp(devnet);
    const games = await readGames(chainAt(plan.network.l1.rpc), view, count);
    if (options['json'] === true) io.stdout(`${JSON.stringify(games, null, 2)}\n`);
    else for (const game of games) io.stdout(fitToTerminal(io, `${lineOf(game)}\n`));
    return EXIT.done;
  },
};

function lineOf({ index, address, block, root, state, claims }: GameView): string {
  const moves = claims === 1 ? 'unchallenged' : `${claims - 1} move${claims === 2 ? '' : 's'}`;
  return `${index}  ${address}  block ${block}  ${root.slice(0, 10)}…  ${moves}  ${state}`;
}
