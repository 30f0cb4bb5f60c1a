import { quantity } from '../../../protocol/hex.ts';
import type { Reference, ReferencesOf, Values, ValuesOf } from '../../template/references.ts';
import type { Geneses, PlannedChain } from '../chain/planned-chain.ts';
import type { PlanContext } from '../context.ts';
import { taskFolder } from '../inputs.ts';
import type { TaskIds } from '../lookup.ts';
import { type Addresses, urlOf } from '../reach.ts';

/** References that every process may make with values of its own. */
export type TaskReference = 'task' | 'dir' | 'data' | 'host' | 'host.name';

/** References whose values are those of a chain. */
export type ChainReference =
  | ReferencesOf<'chain' | 'contract' | 'altDa'>
  | Exclude<ReferencesOf<'sequencer'>, NodeReference>;

/** References whose values are those of a node. */
export type NodeReference =
  | ReferencesOf<'node' | 'el'>
  | 'sequencer.key'
  | 'sequencer.keyFile'
  | 'node.adminState'
  | SignerReference
  | ConductorReference;

/** References by which a rollup node finds its signer. */
type SignerReference = 'signer.rpc' | 'signer.address' | 'signer.tls';

/** References by which a member of a set finds its conductor. */
type ConductorReference = 'conductor.enabled' | 'conductor.rpc' | 'conductor.forward';

/** References whose values are those of the network. A new one has to have a value here. */
export type NetworkReference = Exclude<
  Reference,
  | TaskReference
  | ChainReference
  | NodeReference
  | ReferencesOf<'batcher' | 'proposer' | 'challenger'>
  | 'signer.keyFile'
  | 'conductor.members'
  | ReferencesOf<'member'>
>;

/** Name of the port of an L1 whose blocks its beacon node makes by the Engine API. */
export const ENGINE = 'engine';

/** Slots of an epoch on Ethereum mainnet. */
const REAL_EPOCH = 32;

/** Returns the values of references for a caller: a task, or the supervisor. URLs are those that the caller uses. */
export type ValuesFor = (from: string) => Values;

/** What of L1 its own templates decide. */
interface L1Facts {
  /** Whether it has an Engine API. */
  readonly hasEngine: boolean;
  /** File of the secret of its Engine API; undefined: it has none. */
  readonly jwt: string | undefined;
  /** File of the private keys of its accounts; undefined: it signs for them itself. */
  readonly keys: string | undefined;
  /** File of the forks of its beacon chain; undefined: its beacon node reads none. */
  readonly consensus: string | undefined;
}

/** Returns the values of the references that every task may use, for one of them. */
export function networkValues(
  { spec, inputs, genesisTime, addresses }: PlanContext,
  { l1, chains }: { readonly l1: Pick<Geneses['l1'], 'hash'>; readonly chains: Geneses['chains'] },
  { hasEngine, jwt, keys, consensus }: L1Facts,
  from: string,
): ValuesOf<NetworkReference> {
  const first = chains[0];
  return {
    devnet: spec.name,
    cache: inputs.cache,
    clock: inputs.hostNames === undefined ? `${inputs.home}/clock.json` : undefined,
    'program.anvil': inputs.anvilPath,
    'genesis.time': genesisTime,
    'otel.endpoint': spec.otel?.endpoint,
    'time.order': spec.time.clock === 'stepped' ? 'sender' : undefined,
    'l1.chainId': spec.l1.chainId,
    'l1.chainIdHex': quantity(spec.l1.chainId),
    'l1.blockTime': spec.l1.blockTime,
    'l1.hardfork': spec.l1.hardfork,
    'l1.gasLimit': spec.l1.gasLimit,
    'l1.slotsInAnEpoch': spec.l1.finality === 'devnet' ? 1 : REAL_EPOCH,
    'l1.state': `${taskFolder(inputs, 'l1-beacon')}/data/l1-state.json`,
    'l1.genesis': `${inputs.home}/genesis/l1.json`,
    'l1.chainConfig': `${inputs.home}/genesis/l1-chain-config.json`,
    'l1.genesisHash': l1.hash,
    'l1.http': urlOf(addresses, 'http', from, 'l1', 'rpc'),
    'l1.ws': urlOf(addresses, 'ws', from, 'l1', 'rpc'),
    'l1.engine': hasEngine ? urlOf(addresses, 'http', from, 'l1', ENGINE) : undefined,
    'l1.jwt': jwt,
    'l1.keys': keys,
    'l1.consensusConfig': consensus,
    'l1.engineConfig': hasEngine ? `${inputs.home}/genesis/l1-chain-config.json` : undefined,
    'l1.beacon': urlOf(addresses, 'http', from, 'l1-beacon', 'http'),
    'l1.systemConfig': first?.rollup.l1_system_config_address,
    'l1.unsafeBlockSigner':
      first === undefined ? undefined : `0x${'0'.repeat(24)}${first.roles.sequencer.address.slice(2)}`,
  };
}

/** The tasks of a chain's sequencer. */
export interface SequencerTasks extends TaskIds {
  /** Whether its execution client has a port for WebSocket alone. */
  readonly hasWs: boolean;
}

/** Returns the values of the references that the tasks of a chain may use, for one of them. */
export function chainValues(
  chain: PlannedChain,
  addresses: Addresses,
  sequencer: SequencerTasks,
  from: string,
): ValuesOf<ChainReference> {
  return {
    'chain.name': chain.name,
    'chain.id': chain.chainId,
    'chain.idHex': quantity(chain.chainId),
    'chain.blockTime': chain.clock.blockTime,
    'chain.genesis': chain.genesisFile,
    'chain.genesisHash': chain.genesisHash,
    'chain.rollup': chain.rollupFile,
    'chain.bundles': chain.bundleFolder,
    'contract.systemConfig': chain.rollup.l1_system_config_address,
    'contract.portal': chain.rollup.deposit_contract_address,
    'contract.outputOracle': chain.contracts['L2OutputOracle'],
    'contract.disputeGameFactory': chain.contracts['DisputeGameFactory'],
    ...sequencerValues(chain, addresses, sequencer, from),
    ...altDaValues(chain, addresses, from),
  };
}

/** With a conductor all requests to the sequencer go by it to the leader. */
function sequencerValues(
  { name, spec }: PlannedChain,
  addresses: Addresses,
  { el, cl, hasWs }: SequencerTasks,
  from: string,
): ValuesOf<'sequencer.http' | 'sequencer.ws' | 'sequencer.rpc'> {
  if (spec.conductor === null)
    return {
      'sequencer.http': urlOf(addresses, 'http', from, el, 'http'),
      'sequencer.ws': hasWs ? urlOf(addresses, 'ws', from, el, 'ws') : undefined,
      'sequencer.rpc': urlOf(addresses, 'http', from, cl, 'rpc'),
    };
  const conductor = urlOf(addresses, 'http', from, `${name}/conductor`, 'rpc');
  return { 'sequencer.http': `${conductor}/el`, 'sequencer.ws': undefined, 'sequencer.rpc': `${conductor}/cl` };
}

function altDaValues(
  { name, spec }: PlannedChain,
  addresses: Addresses,
  from: string,
): ValuesOf<ReferencesOf<'altDa'>> {
  if (spec.altDa === null) return { 'altDa.enabled': undefined, 'altDa.server': undefined, 'altDa.service': undefined };
  return {
    'altDa.enabled': true,
    'altDa.server': urlOf(addresses, 'http', from, `${name}/da-server`, 'rpc'),
    'altDa.service': true,
  };
}
