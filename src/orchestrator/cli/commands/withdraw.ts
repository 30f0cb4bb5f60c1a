import type { TransactionReceipt } from 'viem';
import { EXIT } from '../../../system/failure.ts';
import { etherText } from '../../../system/numbers/human.ts';
import { whileUp } from '../../devnet/network-end.ts';
import { mustBeUp, selectDevnet, viewOf } from '../../devnet/select.ts';
import { chainOf } from '../../devnet/select-chain.ts';
import { timeOf } from '../../scenario/time.ts';
import { warpingTime } from '../../scenario/warping-time.ts';
import { FINALIZATION_TIMEOUT_MS, WITHDRAWAL_GAS, withdrawInTime } from '../../scenario/withdraw.ts';
import { fitToTerminal } from '../../terminal/fit.ts';
import type { WithdrawalStep } from '../../traffic/withdrawal.ts';
import { addressArgument, weiArgument } from '../input/arguments.ts';
import { INPUT_OPTIONS, inputOf } from '../input/call-input.ts';
import { type CommandDefinition, textOption } from '../input/command.ts';
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
  ],
  exits: { 1: 'a step reverted, or the amount did not arrive', 3: 'not finalized in time' },
  arguments: [
    { syntax: '<to>', description: 'the receiver on L1' },
    { syntax: '<amount>', description: '1ether, 5gwei, or wei' },
  ],
  options: [
    { flags: '--from <index>', description: 'index of the funded account that sends it', default: '0' },
    ...INPUT_OPTIONS,
    { flags: '--gas <number>', description: 'the gas limit of the call on L1', default: '100000' },
    { flags: '--warp', description: 'warp through the delays of proof and finality' },
    { flags: '--json', description: 'one JSON document' },
    { flags: '--timeout <duration>', description: 'give up after this time', default: '2m' },
    CHAIN_OPTION,
    ...DEVNET_OPTIONS,
  ],
  async run(io, [receiver, text], options) {
    const to = addressArgument('withdraw', receiver);
    const value = weiArgument('withdraw', text, 0n);
    const gas = BigInt(numberOption(options, 'gas', 0, 10_000_000) ?? WITHDRAWAL_GAS);
    const from = numberOption(options, 'from', 0, 999) ?? 0;
    const timeoutMs = durationOption(options, 'timeout') ?? FINALIZATION_TIMEOUT_MS;
    const data = inputOf('withdraw', options);
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const { plan } = viewOf(devnet);
    const chain = chainOf(plan, textOption(options, 'chain'));
    mustBeUp(devnet);
    const tell = (step: WithdrawalStep, { blockNumber }: TransactionReceipt) =>
      io.stderr(`${PROGRESS[step](step === 'initiated' ? chain.name : 'L1', Number(blockNumber))}\n`);
    const wish = { from, to, value, data, gas };
    const done = await whileUp(() => devnet)(async (signal) => {
      const time = await (options['warp'] === true ? warpingTime : timeOf)(() => devnet, plan, signal);
      return withdrawInTime({ signal, time }, plan, chain, wish, timeoutMs, tell);
    });
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
          `${to} has ${etherText(done.balance)} on L1, ${etherText(value)} of it withdrawn from ` +
            `${chain.name} by ${sender}\n` +
            `  L2  ${steps.initiated.hash}  block ${steps.initiated.block}\n` +
            `  L1  ${steps.proven.hash}  block ${steps.proven.block}  proof\n` +
            `  L1  ${steps.finalized.hash}  block ${steps.finalized.block}  finalization\n`,
        ),
      );
    return EXIT.done;
  },
};

/** What each step of a withdrawal tells while the next one is waited for. */
const PROGRESS: Readonly<Record<WithdrawalStep, (layer: string, block: number) => string>> = {
  initiated: (layer, block) => `initiated in block ${block} of ${layer}; waiting for a proposal that covers it`,
  proven: (layer, block) => `proven in block ${block} of ${layer}; waiting until it can be finalized`,
  finalized: (layer, block) => `finalized in block ${block} of ${layer}`,
};
