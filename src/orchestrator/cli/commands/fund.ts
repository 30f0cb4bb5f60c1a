import { EXIT } from '../../../system/failure.ts';
import { etherText } from '../../../system/numbers/human.ts';
import { mustBeUp, selectDevnet, viewOf } from '../../devnet/select.ts';
import { chainOf } from '../../devnet/select-chain.ts';
import { whileRunning } from '../../scenario/time.ts';
import { fitToTerminal } from '../../terminal/fit.ts';
import { fund } from '../../traffic/fund.ts';
import { addressArgument, weiArgument } from '../input/arguments.ts';
import { type CommandDefinition, textOption } from '../input/command.ts';
import { CHAIN_OPTION, DEVNET_OPTIONS } from '../input/devnet-options.ts';
import { durationOption } from '../input/duration-option.ts';

export const command: CommandDefinition = {
  name: 'fund',
  group: 'send transactions',
  summary: 'mint ether to an address on L2 by a deposit from L1',
  examples: ['devnet fund 0x1111111111111111111111111111111111111111 100ether'],
  arguments: [
    { syntax: '<address>', description: 'the address on L2' },
    { syntax: '<amount>', description: '100ether, "1.5 ether", 5gwei, or wei' },
  ],
  options: [
    { flags: '--json', description: 'one JSON document' },
    { flags: '--timeout <duration>', description: 'give up after this time', default: '60s' },
    CHAIN_OPTION,
    ...DEVNET_OPTIONS,
  ],
  async run(io, [recipient, text], options) {
    const address = addressArgument('fund', recipient);
    const amount = weiArgument('fund', text, 1n);
    const timeoutMs = durationOption(options, 'timeout') ?? 60_000;
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const { plan } = viewOf(devnet);
    const chain = chainOf(plan, textOption(options, 'chain'));
    mustBeUp(devnet);
    const { l1, l2, balance } = await whileRunning(devnet, plan, () =>
      fund(plan, chain, { address, amount }, timeoutMs),
    );
    if (options['json'] === true)
      io.stdout(
        `${JSON.stringify(
          {
            chain: chain.name,
            address,
            minted: String(amount),
            balance: String(balance),
            l1: { hash: l1.transactionHash, block: Number(l1.blockNumber) },
            l2: { hash: l2.transactionHash, block: Number(l2.blockNumber) },
          },
          null,
          2,
        )}\n`,
      );
    else
      io.stdout(
        fitToTerminal(
          io,
          `${address} has ${etherText(balance)} on ${chain.name}, ${etherText(amount)} of it minted now\n` +
            `  L1  ${l1.transactionHash}  block ${l1.blockNumber}\n` +
            `  L2  ${l2.transactionHash}  block ${l2.blockNumber}\n`,
        ),
      );
    return EXIT.done;
  },
};
