import type { Link, Plan } from '../plan/plan.ts';
import type { RpcFault } from '../state/faults.ts';
import { placeNamed, refusal } from './places.ts';

/** Methods whose answers hold receipts. */
const RECEIPT_METHODS = [
  'eth_getBlockReceipts',
  'eth_getTransactionReceipt',
  'debug_getRawReceipts',
  'alchemy_getTransactionReceipts',
];

/** Paths of the beacon API whose answers hold blobs. */
const BLOB_PATHS = ['blob_sidecars', 'blobs'];

/** Returns the links on which a target gives a wrong answer. @throws Failure `fault` (exit 2) if there is none */
export function linksOfServer(
  plan: Pick<Plan, 'network' | 'links'>,
  { target }: Pick<RpcFault, 'target'>,
): readonly Link[] {
  const { name, tasks } = placeNamed(plan, target);
  const serves = name === 'l1' ? ['l1'] : tasks;
  const links = (plan.links ?? []).filter(
    ({ to, port, transport }) => serves.includes(to) && port !== 'p2p' && transport === 'tcp',
  );
  if (links.length === 0) throw refusal(`no link leads to an RPC of ${target}`, { target });
  return links;
}

/** @throws Failure `fault` (exit 2) if the answer does not fit the method */
export function mustFitMethod({ target, method, answer }: Pick<RpcFault, 'target' | 'method' | 'answer'>): void {
  const isBeacon = target === 'beacon';
  const data = { target, method, answer };
  if (isBeacon !== !/^[a-z][A-Za-z0-9]*_[A-Za-z0-9]+$/.test(method) && !BLOB_PATHS.includes(method))
    throw refusal(
      isBeacon ? `${method} is not in a path of a beacon node` : `${method} is not a method of JSON-RPC`,
      data,
      isBeacon ? 'a word of a path, such as blob_sidecars, genesis or spec' : 'for example eth_getBlockByNumber',
    );
  const fits = (methods: readonly string[]) => {
    if (!methods.includes(method))
      throw refusal(`${answer} does not fit ${method}`, data, `expected one of ${methods.join(', ')}`);
  };
  if (answer === 'wrong-receipt') fits(isBeacon ? [] : RECEIPT_METHODS);
  if (answer === 'missing-blob') fits(isBeacon ? BLOB_PATHS : []);
}
