import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from 'viem';
import { EXIT } from '../../../../system/failure.ts';
import { whileUp } from '../../../devnet/network-end.ts';
import { mustBeUp, selectDevnet, viewOf } from '../../../devnet/select.ts';
import { chainOf } from '../../../devnet/select-chain.ts';
import type { ChainView } from '../../../plan/plan.ts';
import { type FalseOutput, proposeFalseOutput } from '../../../traffic/games/false-output.ts';
import { forgeWithdrawal } from '../../../traffic/games/forged-withdrawal.ts';
import { gameOf } from '../../../traffic/games/games.ts';
import { type Chain, chainAt } from '../../../traffic/transaction.ts';
import { addressArgument, weiArgument } from '../../input/arguments.ts';
import { type CommandDefinition, textOption } from '../../input/command.ts';
import { CHAIN_OPTION, DEVNET_OPTIONS } from '../../input/devnet-options.ts';
import { numberOption } from '../../input/number-option.ts';

/** Time (ms) between two checks whether L1 has a game. */
const POLL_MS = 200;

const ETHER = 10n ** 18n;

export const command: CommandDefinition = {
  name: 'proposer lie',
  group: 'change a network',
  summary: 'have the proposer propose a false output: it holds a withdrawal that no block of L2 has',
  examples: ['devnet proposer lie 0x1111111111111111111111111111111111111111 1ether'],
  arguments: [
    { syntax: '<to>', description: 'the receiver of that withdrawal' },
    { syntax: '[amount]', description: '1ether, 5gwei, or wei; default: 1ether' },
  ],
  options: [
    { flags: '--block <number>', description: 'the L2 block that it is for; default: the newest safe one' },
    { flags: '--json', description: 'one JSON document' },
    CHAIN_OPTION,
    ...DEVNET_OPTIONS,
  ],
  async run(io, [receiver, amount], options) {
    const to = addressArgument('proposer lie', receiver);
    const value = amount === undefined ? ETHER : weiArgument('proposer lie', amount, 1n);
    const block = numberOption(options, 'block', 0, 1_000_000_000);
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const { plan } = viewOf(devnet);
    const chain = chainOf(plan, textOption(options, 'chain'));
    const l1 = plan.network.l1.rpc;
    mustBeUp(devnet);
    const output = await whileUp(() => devnet)(async (signal) => {
      const { root } = forgeWithdrawal(to, value);
      const sent = await proposeFalseOutput(chain, root, block, signal);
      return { game: await includedGame(chainAt(l1), chain, sent, signal), ...sent };
    });
    if (options['json'] === true) io.stdout(`${JSON.stringify(output, null, 2)}\n`);
    else
      io.stdout(
        `the game ${output.game} claims a false output of block ${output.block}\n` +
          `  claimed  ${output.root}\n` +
          `  true     ${output.honestRoot}\n`,
      );
    return EXIT.done;
  },
};

/** Waits until a false output is in a block of L1, and returns its game. */
async function includedGame(
  l1: Chain,
  chain: ChainView,
  { root, block }: FalseOutput,
  signal: AbortSignal,
): Promise<Hex> {
  for (;;) {
    const game = await gameOf(l1, chain, root, block);
    if (game !== undefined) return game;
    await sleep(POLL_MS, undefined, { signal });
  }
}
