import { keccak256 } from '../../../../src/protocol/hash.ts';
import { quantity } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { httpClient } from '../../../../src/rpc/client/http-client.ts';
import { Anvil } from '../../../protocol/genesis/anvil.ts';
import { alike } from './alike.ts';
import { GENERATED_SCHEDULE, generatedBlocks } from './generated-blocks.ts';
import { type Alloc, CHAIN_ID, genesisText } from './genesis.ts';
import { launch } from './nodes.ts';
import { contracts } from './programs.ts';
import { type ShownVmTrace, vmDifferences } from './vm-differences.ts';

const PER_BLOCK = 20;

/** Compared options of each trace. */
const TRACES: Readonly<Record<string, object>> = {
  callTracer: { tracer: 'callTracer', tracerConfig: { withLog: true } },
  topCall: { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } },
  prestateTracer: { tracer: 'prestateTracer' },
  diffMode: { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
  '4byteTracer': { tracer: '4byteTracer' },
  parity: {},
  structLog: { enableMemory: true, enableReturnData: true },
};

interface Difference {
  readonly trace: string;
  readonly transaction: Hex;
  readonly ours: unknown;
  readonly theirs: unknown;
}

/**
 * Runs the same generated transactions here and in anvil and compares their traces.
 * `alike` removes known differences.
 */
export async function traceDifferences(
  seed: number,
  count: number,
  { vmTrace = false } = {},
): Promise<{ readonly compared: number; readonly differences: Difference[] }> {
  const genesis = genesisText(GENERATED_SCHEDULE, { ...contracts(seed), ...noFees() });
  await using node = await launch(genesis, { flavour: 'rust' });
  await using anvil = await Anvil.start(CHAIN_ID, withBalances(genesis), ['--steps-tracing']);
  const theirs = httpClient({ url: anvil.url, timeoutMs: 60_000 });
  const hashes: Hex[] = [];
  const differences: Difference[] = [];
  for await (const { payload, signed } of generatedBlocks(node, { seed, count, perBlock: PER_BLOCK })) {
    const block = await node.rpc.call<{ baseFeePerGas: Hex; miner: Hex }>('eth_getBlockByHash', [payload.hash, false]);
    await theirs.call('anvil_setCoinbase', [block.miner]);
    await theirs.call('anvil_setNextBlockBaseFeePerGas', [block.baseFeePerGas]);
    await theirs.call('evm_setNextBlockTimestamp', [quantity(payload.timestamp)]);
    for (const raw of signed) await theirs.call('eth_sendRawTransaction', [raw]);
    await theirs.call('evm_mine');
    const batch = signed.map((raw) => keccak256(raw));
    hashes.push(...batch);
    if (!vmTrace) continue;
    const [mine, other] = await Promise.all(
      [quantity(payload.number), 'latest'].map((tag, at) =>
        [node.rpc, theirs][at]!.call<{ transactionHash: Hex; vmTrace: ShownVmTrace }[]>(
          'trace_replayBlockTransactions',
          [tag, ['vmTrace']],
        ),
      ),
    );
    for (const transaction of batch) {
      const [left, right] = [mine!, other!].map(
        (all) => all.find((one) => one.transactionHash === transaction)!.vmTrace,
      );
      const mismatches = vmDifferences(left!, right!);
      if (mismatches.length > 0) differences.push({ trace: 'vmTrace', transaction, ours: mismatches, theirs: [] });
    }
  }
  for (const hash of hashes)
    for (const [trace, options] of Object.entries(TRACES)) {
      const [mine, other] = await Promise.all(
        [node.rpc, theirs].map((rpc) =>
          trace === 'parity'
            ? rpc.call('trace_transaction', [hash])
            : rpc.call('debug_traceTransaction', [hash, options]),
        ),
      );
      const [left, right] = [alike(trace, mine), alike(trace, other)];
      if (JSON.stringify(sorted(left)) !== JSON.stringify(sorted(right)))
        differences.push({ trace, transaction: hash, ours: left, theirs: right });
    }
  theirs.close();
  return { compared: hashes.length * (Object.keys(TRACES).length + (vmTrace ? 1 : 0)), differences };
}

/** Anvil requires a balance for every account. */
function withBalances(genesis: string): unknown {
  const parsed = JSON.parse(genesis) as { alloc: Alloc };
  const alloc = Object.entries(parsed.alloc).map(([key, account]) => [key, { balance: '0x0', ...account }]);
  return { ...parsed, alloc: Object.fromEntries(alloc) };
}

/** L1Block without L1 fees, which anvil does not implement. */
function noFees() {
  return { '0x4200000000000000000000000000000000000015': { balance: '0x0', code: '0x00' } };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
