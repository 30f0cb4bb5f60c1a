import { jsonFields } from '../../protocol/codec/json.ts';
import type { Rollup } from '../../protocol/derivation/ports.ts';
import { rollupOf } from '../../protocol/derivation/rollup.ts';
import { hexToBytes } from '../../protocol/hex.ts';
import type { L1BlockInfo } from '../../protocol/rules/rules.ts';
import type { Hex } from '../../protocol/types.ts';
import type { JsonObject } from '../../rpc/json-object.ts';
import { scheduleFrom } from '../divergence/explain/schedules.ts';
import type { Plan } from '../plan/plan.ts';
import { rollupConfigOf } from '../status/rollup-config.ts';
import type { AbiNames } from './abi/abi.ts';
import { AbiReader, type Abis } from './abi/abi-reader.ts';
import { type CarriedBlock, type Carrier, carrierOf } from './carrier.ts';
import { namesAt } from './contract-names.ts';
import { ask, type Layer } from './layer.ts';

/** A JSON object of an RPC answer. */
export type Json = JsonObject;

export type L2Layer = Extract<Layer, { kind: 'l2' }>;

/** The L1 attributes of an L2 block. */
export interface Attributes {
  readonly info: L1BlockInfo;
  readonly carried: CarriedBlock;
}

/** What blocks and transactions of a network are decoded with. */
export interface Inspector {
  readonly plan: Plan;
  readonly abi: AbiNames;
  rollup(layer: L2Layer): Rollup;
  names(layer: Layer): ReadonlyMap<string, string>;
  /** Names those of these addresses whose code is that of a contract of the user, from then on. */
  identify(layer: Layer, addresses: readonly string[]): Promise<void>;
  /** Reads the L1 attributes of a whole block; null if it has none. */
  attributes(layer: L2Layer, block: Json): Attributes | null;
  /** Finds what carried a whole block to L1. */
  carrier(layer: L2Layer, block: Json): Promise<Carrier>;
}

/** Addresses whose code is read for one answer. */
const MAX_IDENTIFIED = 50;

/** Creates the inspector of a network. `reader`: keeps ABIs from one inspector to the next. */
export function inspectorOf(plan: Plan, reader = new AbiReader(() => {})): Inspector {
  const rollup = ({ chain, node }: L2Layer) =>
    rollupOf(rollupConfigOf(chain), { schedule: scheduleFrom(chain.forks, node.overrides) });
  const inboxes = () =>
    plan.network.chains.map((chain) => [chain.name, rollupConfigOf(chain).batch_inbox_address] as const);
  const attributes = (layer: L2Layer, block: Json): Attributes | null => {
    const fields = jsonFields(block, 'block');
    const transactions = fields.array('transactions').map((each) => jsonFields(each, 'transaction'));
    const [first] = transactions;
    const timestamp = fields.number('timestamp');
    if (first === undefined || !first.has('sourceHash')) return null;
    const info = rollup(layer)
      .l1AttributesAt(timestamp)
      .decode(hexToBytes(first.data('input')));
    const hashes = transactions.filter((each) => !each.has('sourceHash')).map((each) => each.data('hash', 32));
    const origin = { number: info.number, hash: info.hash };
    const carried = { number: fields.number('number'), timestamp, origin, batcher: info.batcherAddr };
    return { info, carried: { ...carried, transactions: hashes } };
  };
  // The tables are large, and batches need none.
  let loadedAbis: Abis | undefined;
  const abis = () => (loadedAbis ??= reader.read(plan.abi));
  // A block asks for them once for each transaction.
  const names = new Map<string, Map<string, string>>();
  const namesOf = (layer: Layer) => {
    const layerNames = names.get(layer.label) ?? new Map(namesAt(plan, layer, layer.kind === 'l1' ? inboxes() : []));
    names.set(layer.label, layerNames);
    return layerNames;
  };
  return {
    plan,
    get abi() {
      return abis().names;
    },
    rollup,
    names: namesOf,
    async identify(layer, addresses) {
      const { nameOf } = plan.abi === undefined ? { nameOf: undefined } : abis();
      if (nameOf === undefined) return;
      const layerNames = namesOf(layer);
      const unknown = new Set(addresses.map((each) => each.toLowerCase()).filter((each) => !layerNames.has(each)));
      const codes = [...unknown].slice(0, MAX_IDENTIFIED).map(async (address) => {
        const name = nameOf(await ask<string>(layer, 'eth_getCode', address, 'latest').catch(() => '0x'));
        if (name !== undefined) layerNames.set(address, name);
      });
      await Promise.all(codes);
    },
    attributes,
    async carrier(layer, block) {
      const result = attributes(layer, block);
      if (result === null) return { kind: 'none', because: 'it is the genesis block' };
      const head = Number(await ask<Hex>({ url: plan.network.l1.rpc }, 'eth_blockNumber'));
      return carrierOf(plan, rollup(layer), result.carried, head);
    },
  };
}
