import { EXIT } from '../../../system/failure.ts';
import { etherText } from '../../../system/numbers/human.ts';
import { mustBeUp, selectDevnet, viewOf } from '../../devnet/select.ts';
import { chainOf } from '../../devnet/select-chain.ts';
import { whileRunning } from '../../scenario/time.ts';
import { fitToTerminal } from '../../terminal/fit.ts';
import { deposit } from '../../traffic/deposit.ts';
import { keyOf } from '../../traffic/payer.ts';
import { walletAt } from '../../traffic/transaction.ts';
import { addressArgument, weiArgument } from '../input/arguments.ts';
import { INPUT_OPTIONS, inputOf } from '../input/call-input.ts';
import { type CommandDefinition, textOption } from '../input/command.ts';
import { CHAIN_OPTION, DEVNET_OPTIONS } from '../input/devnet-options.ts';
import { durationOption } from '../input/duration-option.ts';
import { numberOption } from '../input/number-option.ts';

export const command: CommandDefinition = {
  name: 'deposit',
  group: 'send transactions',
  summary: 'send a transaction to L2 through the portal on L1, and wait until the sequencer has it',
  examples: [
    'devnet deposit 0x1111111111111111111111111111111111111111 1ether',
    'devnet deposit 0x4200000000000000000000000000000000000006 1ether --function deposit()',
  ],
  exits: { 1: 'L1 or L2 reverted it' },
  arguments: [
    { syntax: '<to>', description: 'the address that is called on L2' },
    { syntax: '[amount]', description: 'minted and sent to the address: 1ether, 5gwei, or wei; default: 0' },
  ],
  options: [
    { flags: '--from <index>', description: 'index of the funded account that sends it', default: '0' },
    ...INPUT_OPTIONS,
    { flags: '--gas <number>', description: 'the gas limit on L2', default: '200000' },
    { flags: '--json', description: 'one JSON document' },
    { flags: '--timeout <duration>', description: 'give up after this time', default: '60s' },
    CHAIN_OPTION,
    ...DEVNET_OPTIONS,
  ],
  async run(io, [callee, text = '0'], options) {
    const to = addressArgument('deposit', callee);
    const value = weiArgument('deposit', text, 0n);
    const gas = BigInt(numberOption(options, 'gas', 21_000, 20_000_000) ?? 200_000);
    const from = numberOption(options, 'from', 0, 999) ?? 0;
    const timeoutMs = durationOption(options, 'timeout') ?? 60_000;
    const data = inputOf('deposit', options);
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const { plan } = viewOf(devnet);
    const chain = chainOf(plan, textOption(options, 'chain'));
    const wallet = walletAt(plan.network.l1.rpc, keyOf(chain, from), timeoutMs);
    mustBeUp(devnet);
    const request = { to, value, mint: value, gas, data };
    const { l1, l2, lost } = await whileRunning(devnet, plan, () => deposit(plan, chain, wallet, request, timeoutMs));
    for (const hash of lost) io.stderr(`the deposit ${hash} fell out of L1, so it was sent again\n`);
    const places = {
      l1: { hash: l1.transactionHash, block: Number(l1.blockNumber) },
      l2: { hash: l2.transactionHash, block: Number(l2.blockNumber), status: l2.status, gasUsed: Number(l2.gasUsed) },
    };
    const document = { chain: chain.name, from: wallet.account.address, to, value: String(value), ...places, lost };
    if (options['json'] === true) io.stdout(`${JSON.stringify(document, null, 2)}\n`);
    else
      io.stdout(
        fitToTerminal(
          io,
          `${wallet.account.address} deposited ${etherText(value)} to ${to} on ${chain.name}: ${l2.status}\n` +
            `  L1  ${l1.transactionHash}  block ${l1.blockNumber}\n` +
            `  L2  ${l2.transactionHash}  block ${l2.blockNumber}  gas ${l2.gasUsed}\n`,
        ),
      );
    return l2.status === 'success' ? EXIT.done : EXIT.failed;
  },
};
