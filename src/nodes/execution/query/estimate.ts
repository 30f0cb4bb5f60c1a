import type { BlockHeader } from '../../../protocol/codec/header.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { RpcError } from '../../../rpc/error.ts';
import type { Chain } from '../chain/chain.ts';
import { CALL_GAS_CAP, type CallArguments, type StateOverrides } from './call-arguments.ts';
import { callError } from './revert.ts';
import { isPlainTransfer, type Simulation, simulate } from './simulate.ts';

const TRANSFER_GAS = 21_000n;
/** The search ends where the range is below 1.5 % of its upper end, as in the Go clients. */
const TOLERANCE = 1000n / 15n;

/** The least gas limit with which a call succeeds, nearly. The L1 fee is no part of it. @throws RpcError where no limit is enough */
export async function estimateGas(
  chain: Chain,
  at: { readonly hash: Hex; readonly header: BlockHeader },
  call: CallArguments,
  overrides: StateOverrides | null | undefined,
): Promise<bigint> {
  let high = call.gas != null && call.gas >= TRANSFER_GAS ? call.gas : BigInt(at.header.gasLimit);
  high = affordable(chain, at.header, call, high > CALL_GAS_CAP ? CALL_GAS_CAP : high);
  const run = (gas: bigint) => attempt(() => simulate(chain, at, call, { gas, overrides: overrides ?? null }));
  if (isPlainTransfer(chain, at.header, call) && overrides == null) {
    const transfer = await run(TRANSFER_GAS);
    if (transfer.kind === 'done' && transfer.result.failure === undefined) return TRANSFER_GAS;
  }
  const most = await run(high);
  if (most.kind === 'short') {
    if (call.gas != null || high < BigInt(at.header.gasLimit))
      throw new RpcError(-32000, `gas required exceeds allowance (${high})`);
    throw most.error;
  }
  if (most.result.failure !== undefined) {
    if (most.result.failure === 'out of gas') throw new RpcError(-32000, `gas required exceeds allowance (${high})`);
    throw callError(most.result);
  }
  let low = most.result.gasUsed - 1n;
  const hopeful = ((most.result.gasUsed + 2300n) * 64n) / 63n;
  if (hopeful < high) {
    if (enough(await run(hopeful))) high = hopeful;
    else low = hopeful;
  }
  while (low + 1n < high && (high - low) * TOLERANCE > high) {
    let middle = (high + low) / 2n;
    if (middle > low * 2n) middle = low * 2n;
    if (enough(await run(middle))) high = middle;
    else low = middle;
  }
  return high;
}

type Attempt =
  | { readonly kind: 'done'; readonly result: Simulation }
  | { readonly kind: 'short'; readonly error: RpcError };

async function attempt(run: () => Promise<Simulation>): Promise<Attempt> {
  try {
    return { kind: 'done', result: await run() };
  } catch (error) {
    if (error instanceof RpcError && /gas too low|floor data gas/.test(error.message)) return { kind: 'short', error };
    throw error;
  }
}

function enough(attempt: Attempt): boolean {
  return attempt.kind === 'done' && attempt.result.failure === undefined;
}

/** The gas that the sender can pay at the price that the call names. @throws RpcError where it cannot even send the value */
function affordable(chain: Chain, header: BlockHeader, call: CallArguments, gas: bigint): bigint {
  const price = call.gasPrice ?? call.maxFeePerGas ?? 0n;
  if (price === 0n || call.from == null) return gas;
  const balance = chain.stateOf(header).account(hexToBytes(call.from))?.balance ?? 0n;
  const value = call.value ?? 0n;
  if (value > balance) throw new RpcError(-32000, 'insufficient funds for transfer');
  const allowance = (balance - value) / price;
  return allowance < gas ? allowance : gas;
}
