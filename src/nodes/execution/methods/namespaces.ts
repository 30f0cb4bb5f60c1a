import type { MethodTable } from '../../../rpc/method.ts';
import type { Flavour } from '../flavours/interface/flavour.ts';
import { admin } from './admin.ts';
import type { NodeContext, ReadContext } from './context.ts';
import { debug } from './debug.ts';
import { debugBadBlocks } from './debug-bad-blocks.ts';
import { debugHead } from './debug-head.ts';
import { debugTrace } from './debug-trace.ts';
import { debugWitness } from './debug-witness.ts';
import { engine } from './engine.ts';
import { eth, ethReads } from './eth.ts';
import { ethFilters } from './eth-filters.ts';
import { miner } from './miner.ts';
import { net } from './net.ts';
import { ots } from './ots.ts';
import { rpc } from './rpc.ts';
import { testing } from './testing.ts';
import { trace } from './trace.ts';
import { txpool } from './txpool.ts';
import { web3 } from './web3.ts';

const debugReads: MethodTable<ReadContext> = { ...debug, ...debugTrace, ...debugWitness };

/** Methods that read the stored chain or the pool, and may take long. They leave most of the time to the engine. */
const SCHEDULED: MethodTable<NodeContext> = { ...ethReads, ...ethFilters, ...debugReads, ...trace, ...ots, ...txpool };

/** Whether the public ports run a method in slices. The authenticated port answers every method at once. */
export const isScheduled = (name: string): boolean => Object.hasOwn(SCHEDULED, name);

/** Namespaces that the options may enable (reth: `RpcModuleBuilder`). */
export const NAMESPACES: Readonly<Record<string, MethodTable<NodeContext>>> = {
  eth,
  net,
  web3,
  txpool,
  debug: { ...debugReads, ...debugHead, ...debugBadBlocks },
  admin,
  miner,
  trace,
  ots,
  testing,
};

/** Returns the methods of namespaces, with rpc_modules if the flavour has it. */
export function tableOf(names: readonly string[], flavour: Flavour): MethodTable<NodeContext> {
  const all: MethodTable<NodeContext> = Object.assign({}, ...names.map((name) => NAMESPACES[name]));
  const table = Object.fromEntries(Object.entries(all).filter(([name]) => !flavour.lacks.includes(name)));
  return flavour.rpcModules ? { ...table, ...rpc } : table;
}

/** Methods of the authenticated port: the Engine API and those that a rollup node calls (geth: `catalyst.Register`). */
export const AUTHENTICATED: MethodTable<NodeContext> = { ...engine, ...eth, ...net, ...web3 };
