import type { BlockHeader } from '../../../protocol/codec/header.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import { RpcError } from '../../../rpc/error.ts';
import type { Chain } from '../chain/chain.ts';
import type { CallArguments } from './call-arguments.ts';
import type { CallBlock, CallEnvironment } from './call-evm.ts';
import type { CallContext } from './context.ts';
import { evmOfCall, namedPrice, type Simulation, tryCall } from './simulate.ts';

const TRANSFER_GAS = 21_000n;
/** The search ends below a range of 1.5 % of the upper bound, as in geth (`estimateGasErrorRatio`). */
const isWide = (low: bigint, high: bigint): boolean => (high - low) * 1000n >= high * 15n;

/**
 * Returns nearly the lowest gas limit with which a call succeeds, as geth's `gasestimator.Estimate`.
 * It does not include the L1 fee. @throws RpcError if no limit suffices
 */
export async function estimateGas(
  context: CallContext,
  at: CallBlock,
  call: CallArguments,
  setting: CallEnvironment,
): Promise<bigint> {
  const { chain, flavour } = context;
  const { gasCap } = context.limits;
  const blockGas = setting.block?.gasLimit ?? at.header.gasLimit;
  let high = call.gas != null && call.gas >= TRANSFER_GAS ? call.gas : blockGas;
  high = affordable(chain, at.header, call, setting, high > gasCap ? gasCap : high);
  // The runs share what they read of the state.
  const vm = evmOfCall(chain, at, call, setting);
  const run = (gas: bigint) => attempt(() => tryCall(vm, call, { flavour, gas, gasCap }));
  if (isPlainTransfer(chain, at.header, call) && setting.state == null) {
    const transfer = await run(TRANSFER_GAS);
    if (transfer.kind === 'done' && transfer.result.failure === undefined) return TRANSFER_GAS;
  }
  const most = await run(high);
  if (most.kind === 'short') {
    if (call.gas != null || high < blockGas) throw tooLittle(high);
    throw most.error;
  }
  if (most.result.failure !== undefined) throw flavour.errors.estimateFailed(most.result);
  let low = most.result.gasUsed - 1n;
  const hopeful = ((most.result.maxUsedGas + 2300n) * 64n) / 63n;
  if (hopeful < high) {
    if (enough(await run(hopeful))) high = hopeful;
    else low = hopeful;
  }
  while (low + 1n < high && isWide(low, high)) {
    let middle = (high + low) / 2n;
    if (middle > low * 2n) middle = low * 2n;
    if (enough(await run(middle))) high = middle;
    else low = middle;
  }
  return high;
}

function tooLittle(allowance: bigint): RpcError {
  return new RpcError(-32000, `gas required exceeds allowance (${allowance})`);
}

/** Whether a call is a plain transfer to an account without code. */
function isPlainTransfer(chain: Chain, header: BlockHeader, call: CallArguments): boolean {
  if (call.to == null || call.authorizationList != null || (call.accessList?.length ?? 0) > 0) return false;
  if ((call.input ?? call.data ?? '0x') !== '0x') return false;
  const state = chain.stateOf(header);
  return state.code(state.account(hexToBytes(call.to))).length === 0;
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

/**
 * Returns the gas that the sender can pay at the price of the call. @throws RpcError if the value exceeds the
 * balance
 */
function affordable(
  chain: Chain,
  header: BlockHeader,
  call: CallArguments,
  { state }: CallEnvironment,
  gas: bigint,
): bigint {
  const price = namedPrice(call);
  const { from } = call;
  if (price === 0n || from == null) return gas;
  const override = Object.entries(state ?? {}).find(([address]) => address.toLowerCase() === from)?.[1].balance;
  const balance = override ?? chain.stateOf(header).account(hexToBytes(from))?.balance ?? 0n;
  const value = call.value ?? 0n;
  if (value >= balance) throw new RpcError(-32000, 'insufficient funds for transfer');
  const allowance = (balance - value) / price;
  return allowance < gas ? allowance : gas;
}
