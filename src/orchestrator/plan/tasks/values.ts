import type { Reference, ReferencesOf, ValuesOf } from '../../template/references.ts';
import type { Geneses } from '../chain/geneses.ts';
import type { PlannedChain } from '../chain/planned-chain.ts';
import type { PlanContext } from '../context.ts';
import { type PlanInputs, taskFolder } from '../inputs.ts';
import { HOST } from '../ports.ts';

/** References that every process may make with values of its own. */
export type TaskReference = 'task' | 'dir' | 'data';

/** References whose values are those of a chain. */
export type ChainReference = ReferencesOf<'chain' | 'contract'> | Exclude<ReferencesOf<'sequencer'>, NodeReference>;

/** References whose values are those of a node. */
export type NodeReference = ReferencesOf<'node' | 'el'> | 'sequencer.key' | 'sequencer.keyFile';

/** References whose values are those of the network. A new one has to have a value here. */
export type NetworkReference = Exclude<
  Reference,
  TaskReference | ChainReference | NodeReference | ReferencesOf<'batcher' | 'proposer'>
>;

/** Slots of an epoch on Ethereum mainnet. */
const REAL_EPOCH = 32;

/** Returns the URL of a task's port. */
export function urlOf(inputs: PlanInputs, protocol: 'http' | 'ws', task: string, port: string, host = HOST): string {
  return `${protocol}://${host}:${inputs.ports[`${task}:${port}`]}`;
}

/** What of L1 its own templates decide. */
interface L1Facts {
  /** Address of L1 itself. */
  readonly host: string;
  /** URL of its Engine API and the file of its secret; undefined: it has none. */
  readonly engine: string | undefined;
  readonly jwt: string | undefined;
}

/** Returns the values of the references that every task may use. */
export function networkValues(
  { spec, inputs, genesisTime }: PlanContext,
  { l1, chains }: Geneses,
  { host, engine, jwt }: L1Facts,
): ValuesOf<NetworkReference> {
  const first = chains[0];
  return {
    devnet: spec.name,
    cache: inputs.cache,
    clock: `${inputs.home}/clock.json`,
    host: HOST,
    'program.anvil': inputs.anvilPath,
    'genesis.time': genesisTime,
    'time.order': spec.time.clock === 'stepped' ? 'sender' : undefined,
    'l1.chainId': spec.l1.chainId,
    'l1.chainIdHex': `0x${spec.l1.chainId.toString(16)}`,
    'l1.blockTime': spec.l1.blockTime,
    'l1.hardfork': spec.l1.hardfork,
    'l1.slotsInAnEpoch': spec.l1.finality === 'devnet' ? 1 : REAL_EPOCH,
    'l1.state': `${taskFolder(inputs, 'l1-beacon')}/data/l1-state.json`,
    'l1.genesis': `${inputs.home}/genesis/l1.json`,
    'l1.chainConfig': `${inputs.home}/genesis/l1-chain-config.json`,
    'l1.genesisHash': l1.hash,
    'l1.http': urlOf(inputs, 'http', 'l1', 'rpc', host),
    'l1.ws': urlOf(inputs, 'ws', 'l1', 'rpc', host),
    'l1.engine': engine,
    'l1.jwt': jwt,
    'l1.beacon': urlOf(inputs, 'http', 'l1-beacon', 'http'),
    'l1.systemConfig': first?.rollup.l1_system_config_address,
    'l1.unsafeBlockSigner':
      first === undefined ? undefined : `0x${'0'.repeat(24)}${first.roles.sequencer.address.slice(2)}`,
  };
}

/** Returns the values of the references that the tasks of a chain may use. */
export function chainValues(
  chain: PlannedChain,
  sequencer: { readonly http: string; readonly ws: string; readonly rpc: string },
): ValuesOf<ChainReference> {
  return {
    'chain.name': chain.name,
    'chain.id': chain.chainId,
    'chain.idHex': `0x${chain.chainId.toString(16)}`,
    'chain.blockTime': chain.clock.blockTime,
    'chain.genesis': chain.genesisFile,
    'chain.genesisHash': chain.genesisHash,
    'chain.rollup': chain.rollupFile,
    'chain.bundles': chain.bundleFolder,
    'contract.systemConfig': chain.rollup.l1_system_config_address,
    'contract.portal': chain.rollup.deposit_contract_address,
    'contract.outputOracle': chain.contracts['L2OutputOracle'],
    'contract.disputeGameFactory': chain.contracts['DisputeGameFactory'],
    'sequencer.http': sequencer.http,
    'sequencer.ws': sequencer.ws,
    'sequencer.rpc': sequencer.rpc,
  };
}
