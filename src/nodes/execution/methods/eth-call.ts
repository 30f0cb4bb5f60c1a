import * as z from 'zod';
import { bytesToHex, quantity } from '../../../protocol/hex.ts';
import { type MethodTable, method } from '../../../rpc/method.ts';
import { createAccessList } from '../call/access-list.ts';
import { blockOverridesParam, callParam, overridesParam } from '../call/call-arguments.ts';
import { estimateGas } from '../call/estimate.ts';
import { simulate } from '../call/simulate.ts';
import { blockParam, headerOf } from '../query/block-tag.ts';
import { overridesAt } from '../query/pending-block.ts';
import { simulateBlocks } from '../query/simulate-blocks.ts';
import { simulationParam } from '../query/simulation-arguments.ts';
import type { ReadContext } from './context.ts';

const overridden = z.tuple([callParam, blockParam.nullish(), overridesParam.nullish(), blockOverridesParam.nullish()]);

/** Methods that run code on the state of a block without changing it (geth: `BlockChainAPI.Call`, reth: `EthCall`). */
export const ethCall: MethodTable<ReadContext> = {
  eth_call: method('Runs a call and returns its data', overridden, async (context, [call, at, state, block]) => {
    const { gasCap, callTime } = context.limits;
    const { chain, flavour } = context;
    const place = headerOf(context, at ?? 'latest');
    const overrides = overridesAt(chain, at, place, block);
    const setting = { state, block: overrides, flavour, gasCap, budget: context.newBudget(callTime) };
    const result = await simulate(chain, place, call, setting);
    if (result.failure !== undefined) throw flavour.errors.callFailed(result);
    return bytesToHex(result.returnValue);
  }),
  eth_estimateGas: method(
    'Gas limit with which a call succeeds, without the L1 fee',
    overridden,
    async (context, [call, at, state, block]) => {
      const place = headerOf(context, at ?? 'latest');
      const overrides = overridesAt(context.chain, at, place, block);
      const setting = { state, block: overrides, budget: context.newBudget(context.limits.callTime) };
      return quantity(await estimateGas(context, place, call, setting));
    },
  ),
  eth_createAccessList: method(
    'Addresses and slots that a call touches, and its gas with them listed',
    z.tuple([callParam, blockParam.nullish(), overridesParam.nullish()]),
    async (context, [call, at, state]) => {
      const setting = { state, budget: context.newBudget(context.limits.callTime) };
      const place = headerOf(context, at ?? 'latest');
      const { accessList, gasUsed, ...result } = await createAccessList(context, place, call, setting);
      return {
        accessList,
        gasUsed: quantity(gasUsed),
        ...(result.failure === undefined ? {} : { error: context.flavour.errors.accessListFailure(result) }),
      };
    },
  ),
  eth_simulateV1: method(
    'Runs blocks of calls on top of a block',
    z.tuple([simulationParam, blockParam.nullish()]),
    async (context, [simulation, at]) => {
      return simulateBlocks(context, headerOf(context, at ?? 'latest'), simulation);
    },
  ),
};
