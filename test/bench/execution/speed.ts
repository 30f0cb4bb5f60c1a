import { decodeTransaction } from '../../../src/nodes/execution/transaction/transaction.ts';
import { u256be } from '../../../src/protocol/bytes.ts';
import { rulesAt } from '../../../src/protocol/forks/index.ts';
import { upTo } from '../../nodes/execution/support/genesis.ts';
import { stateOf } from '../../nodes/execution/support/memory-state.ts';
import { bareCalls, libraryBlock } from './bare.ts';
import { openBlock, runBlock } from './ours.ts';
import { inTurn, processorTimeOf } from './rounds.ts';
import { ARITHMETIC, HASHING, Sender, workloadAlloc } from './workload.ts';

const rules = rulesAt(upTo('isthmus'), 1_700_000_000);
const row = (
  label: string,
  unit: string,
  { ours, theirs, ratio }: { ours: number; theirs: number; ratio: number },
  goal: string,
) =>
  console.log(
    `${label.padEnd(52)} ${ours.toFixed(1).padStart(9)} ${theirs.toFixed(1).padStart(9)} ${unit.padEnd(7)} ` +
      `${ratio.toFixed(2).padStart(5)}  ${goal}`,
  );

/** Measures Mgas/s of computation and transactions per second, of our executor beside the library. */
export async function speed(rounds: number): Promise<void> {
  console.log(`${''.padEnd(52)} ${'ours'.padStart(9)} ${'library'.padStart(9)} ${''.padEnd(7)} ratio`);
  const alloc = workloadAlloc();
  for (const [name, contract] of [
    ['arithmetic', ARITHMETIC],
    ['hashing', HASHING],
  ] as const) {
    const gas = 2_000_000;
    const count = 5;
    const calls = Array.from({ length: count }, () => ({ to: contract, data: u256be(2000), gas: gas - 21_000 }));
    const sender = new Sender();
    const block = Array.from({ length: count }, () => sender.loop(contract, gas));
    const mgas = (gas * count) / 1e6;
    const { reader } = stateOf(alloc);
    const result = await inTurn(
      rounds,
      async () => mgas / ((await processorTimeOf(() => runBlock(rules, reader, block))) / 1000),
      async () => mgas / ((await processorTimeOf(() => bareCalls(alloc, calls))) / 1000),
    );
    row(`block of ${mgas} Mgas of ${name}: executed, sealed`, 'Mgas/s', result, 'goal 0.9 of the bare EVM’s calls');
  }
  for (const [name, make] of [
    ['transfers', (sender: Sender, at: number) => sender.transfer(at)],
    ['token transfers', (sender: Sender, at: number) => sender.token(at)],
  ] as const) {
    const count = 500;
    const sender = new Sender();
    const raw = Array.from({ length: count }, (_, at) => make(sender, at));
    const { reader } = stateOf(alloc);
    const withSenders = raw.map(decodeTransaction);
    const perSecond = (ms: number) => count / (ms / 1000);
    const fromRlp = await inTurn(
      rounds,
      async () => perSecond(await processorTimeOf(() => runBlock(rules, reader, raw))),
      async () => {
        const library = await libraryBlock(alloc);
        return perSecond(await processorTimeOf(() => library.run(raw.map(library.decode))));
      },
    );
    row(`${count} ${name} from RLP`, 'tx/s', fromRlp, 'goal 0.8');
    const decoded = await inTurn(
      rounds,
      async () =>
        perSecond(
          await processorTimeOf(async () => {
            const executor = await openBlock(rules, reader);
            for (const transaction of withSenders) await executor.transaction(transaction);
            await executor.seal();
          }),
        ),
      async () => {
        const library = await libraryBlock(alloc);
        const transactions = raw.map(library.decode);
        for (const transaction of transactions) transaction.getSenderAddress();
        return perSecond(await processorTimeOf(() => library.run(transactions)));
      },
    );
    row(`${count} ${name}, senders known`, 'tx/s', decoded, 'goal 0.8');
  }
}
