import { isHash, type TransactionReceipt } from 'viem';
import { EXIT, Failure } from '../../../system/failure.ts';
import { etherText } from '../../../system/numbers/human.ts';
import { whileUp } from '../../devnet/network-end.ts';
import { mustBeUp, selectDevnet, viewOf } from '../../devnet/select.ts';
import { chainOf } from '../../devnet/select-chain.ts';
import { timeOf } from '../../scenario/time.ts';
import { warpingTime } from '../../scenario/warping-time.ts';
import {
  type ContinuationWish,
  FINALIZATION_TIMEOUT_MS,
  WITHDRAWAL_GAS,
  type WithdrawalWish,
  withdrawInTime,
} from '../../scenario/withdraw.ts';
import { fitToTerminal } from '../../terminal/fit.ts';
import type { WithdrawalStep, Withdrawn } from '../../traffic/withdrawal.ts';
import { addressArgument, weiArgument } from '../input/arguments.ts';
import { INPUT_OPTIONS, inputOf } from '../input/call-input.ts';
import { type CommandDefinition, listOption, type OptionValues, textOption } from '../input/command.ts';
import { CHAIN_OPTION, DEVNET_OPTIONS } from '../input/devnet-options.ts';
import { durationOption } from '../input/duration-option.ts';
import { numberOption } from '../input/number-option.ts';

export const command: CommandDefinition = {
  name: 'withdraw',
  group: 'send transactions',
  summary: 'withdraw ether from L2 to an address on L1: initiate, prove and finalize it, and see it arrive',
  examples: [
    'devnet withdraw 0x1111111111111111111111111111111111111111 1ether',
    'devnet withdraw 0x1111111111111111111111111111111111111111 1ether --warp',
    `devnet withdraw --continue 0x${'11'.repeat(32)}`,
  ],
  exits: { 1: 'a step reverted, or the amount did not arrive', 3: 'not finalized in time' },
  arguments: [
    { syntax: '[to]', description: 'the receiver on L1; absent with --continue' },
    { syntax: '[amount]', description: '1ether, 5gwei, or wei; absent with --continue' },
  ],
  options: [
    { flags: '--from <index>', description: 'index of the funded account that sends it', default: '0' },
    ...INPUT_OPTIONS,
    { flags: '--gas <number>', description: 'the gas limit of the call on L1; default: 100000' },
    {
      flags: '--continue <hash>',
      description: 'instead of a receiver and an amount: go on with what this transaction of L2 has initiated',
    },
    { flags: '--warp', description: 'warp through the delays of proof and finality' },
    { flags: '--json', description: 'one JSON document' },
    { flags: '--timeout <duration>', description: 'give up after this time', default: '2m' },
    CHAIN_OPTION,
    ...DEVNET_OPTIONS,
  ],
  async run(io, [receiver, text], options) {
    const wish = wishOf(receiver, text, options);
    const timeoutMs = durationOption(options, 'timeout') ?? FINALIZATION_TIMEOUT_MS;
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const { plan } = viewOf(devnet);
    const chain = chainOf(plan, textOption(options, 'chain'));
    mustBeUp(devnet);
    const tell = (step: WithdrawalStep, { blockNumber }: TransactionReceipt) =>
      io.stderr(`${PROGRESS[step](step === 'initiated' ? chain.name : 'L1', Number(blockNumber))}\n`);
    const done = await whileUp(() => devnet)(async (signal) => {
      const time = await (options['warp'] === true ? warpingTime : timeOf)(() => devnet, plan, signal);
      return withdrawInTime({ signal, time }, plan, chain, wish, timeoutMs, tell);
    });
    const { to, value } = done;
    const sender = done.initiated.from;
    const place = (step: WithdrawalStep) => ({
      hash: done[step].transactionHash,
      block: Number(done[step].blockNumber),
    });
    const steps = { initiated: place('initiated'), proven: place('proven'), finalized: place('finalized') };
    const amounts = { value: String(value), balance: String(done.balance) };
    const document = { chain: chain.name, from: sender, to, ...amounts, withdrawalHash: done.withdrawalHash, ...steps };
    if (options['json'] === true) io.stdout(`${JSON.stringify(document, null, 2)}\n`);
    else
      io.stdout(
        fitToTerminal(
          io,
          `${arrivalText(done)} withdrawn from ${chain.name} by ${sender}\n` +
            `  L2  ${steps.initiated.hash}  block ${steps.initiated.block}\n` +
            `  L1  ${steps.proven.hash}  block ${steps.proven.block}  proof\n` +
            `  L1  ${steps.finalized.hash}  block ${steps.finalized.block}  finalization\n`,
        ),
      );
    return EXIT.done;
  },
};

/** Returns what the words of the command ask for. @throws Failure `usage`, or `abi` (exit 2) */
function wishOf(receiver: unknown, amount: unknown, options: OptionValues): WithdrawalWish | ContinuationWish {
  const from = numberOption(options, 'from', 0, 999) ?? 0;
  const initiated = textOption(options, 'continue');
  if (initiated === undefined) {
    if (receiver === undefined || amount === undefined)
      throw new Failure('usage', 'withdraw: expected a receiver and an amount, or --continue HASH', {
        exit: EXIT.usage,
        hint: 'run `devnet withdraw --help` for its arguments and options',
      });
    const gas = BigInt(numberOption(options, 'gas', 0, 10_000_000) ?? WITHDRAWAL_GAS);
    const to = addressArgument('withdraw', receiver);
    return { from, to, value: weiArgument('withdraw', amount, 0n), data: inputOf('withdraw', options), gas };
  }
  const called = ['data', 'function', 'gas'].some((name) => options[name] !== undefined);
  const other = receiver !== undefined || called || listOption(options, 'arg').length > 0;
  if (other || !isHash(initiated))
    throw new Failure(
      'usage',
      other
        ? 'withdraw: --continue takes no receiver, no amount and no call: they are those of the transaction'
        : `--continue: expected the hash of a transaction of L2, found ${JSON.stringify(initiated)}`,
      { exit: EXIT.usage },
    );
  return { from, initiated };
}

/** Describes what arrived. A contract can have passed it on. */
function arrivalText({ to, value, balance }: Withdrawn): string {
  const [amount, total] = [etherText(value), etherText(balance)];
  return balance >= value ? `${to} has ${total} on L1, ${amount} of it` : `${to} has ${total} on L1, and got ${amount}`;
}

/** What each step of a withdrawal tells while the next one is waited for. */
const PROGRESS: Readonly<Record<WithdrawalStep, (layer: string, block: number) => string>> = {
  initiated: (layer, block) => `initiated in block ${block} of ${layer}; waiting for a proposal that covers it`,
  proven: (layer, block) => `proven in block ${block} of ${layer}; waiting until it can be finalized`,
  finalized: (layer, block) => `finalized in block ${block} of ${layer}`,
};
