import {
  type L1GenesisInputs,
  l1ChainConfig,
  l1GenesisHash,
  predictAnvilGenesis,
} from '../../../protocol/genesis/index.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { Spec } from '../../spec/schema/types.ts';
import type { ClientTemplate } from '../../template/template.ts';
import type { Values } from '../../template/text.ts';
import { planChain } from '../chain/chain.ts';
import type { PlannedChain } from '../chain/planned-chain.ts';
import type { PlanInputs } from '../inputs.ts';
import { deriveSecret } from '../keys.ts';
import { entryOf } from '../lookup.ts';
import type { PlannedFile } from '../plan.ts';
import { networkValues, urlOf } from './values.ts';

/** Name of the port of an L1 whose blocks its beacon node makes by the Engine API. */
const ENGINE = 'engine';

/** L1 and all chains, as far as they depend on each other. */
export interface PlannedL1 {
  readonly chains: readonly PlannedChain[];
  /** Hash of block 0. */
  readonly genesisHash: Hex;
  /** The references that every task may use. */
  readonly values: Values;
  /** Files of L1 that other tasks read too. */
  readonly files: readonly PlannedFile[];
  /** The secret between L1 and its beacon node, where they have one. */
  readonly secrets: readonly string[];
}

/**
 * Plans the genesis of L1 and its chains. `host`: address of L1 itself.
 * @throws Failure `chain-files` where the files of an existing chain do not fit
 */
export function planL1(
  spec: Spec,
  clients: ReadonlyMap<string, ClientTemplate>,
  inputs: PlanInputs,
  genesisTime: number,
  host: string,
): PlannedL1 {
  const template = entryOf(clients, spec.l1.client);
  const chainsOn = (hash?: Hex) =>
    Object.keys(spec.chains).map((name) => planChain(name, spec, inputs, genesisTime, hash));
  const genesisOf = (chains: readonly PlannedChain[]): L1GenesisInputs => ({
    chainId: spec.l1.chainId,
    hardfork: spec.l1.hardfork,
    genesisTime,
    accounts: mostAccounts(chains),
    chains: chains.map(({ genesis }) => genesis),
    ...(spec.l1.alloc === null ? {} : { alloc: entryOf(inputs.allocs, spec.l1.alloc) }),
  });
  const genesisHash =
    template.stateRoot === 'empty'
      ? predictAnvilGenesis({ genesisTime, hardfork: spec.l1.hardfork }).hash
      : l1GenesisHash(genesisOf(chainsOn()), inputs.contracts);
  const chains = chainsOn(genesisHash);
  const values: Values = {
    ...networkValues(spec, inputs, genesisTime, chains, host),
    'l1.genesisHash': genesisHash,
    'l1.engine': template.ports[ENGINE] === undefined ? undefined : urlOf(inputs, 'http', 'l1', ENGINE, host),
  };
  const shared = sharedFiles(spec, values, genesisOf(chains));
  if (template.ports[ENGINE] === undefined) return { chains, genesisHash, values, files: shared, secrets: [] };
  const secret = deriveSecret({ seed: spec.seed, devnet: spec.name, chain: '', node: 'l1' }, 'jwt', inputs.hkdf);
  const jwt: PlannedFile = {
    path: `${inputs.home}/nodes/l1-jwt.hex`,
    mode: 0o600,
    secret: true,
    content: { kind: 'text', text: `${secret}\n` },
  };
  return {
    chains,
    genesisHash,
    values: { ...values, 'l1.jwt': jwt.path },
    files: [...shared, jwt],
    secrets: [secret],
  };
}

function sharedFiles({ l1 }: Spec, values: Values, genesis: L1GenesisInputs): readonly PlannedFile[] {
  return [
    {
      path: String(values['l1.genesis']),
      mode: 0o644,
      secret: false,
      content: { kind: 'l1-genesis', inputs: genesis },
    },
    {
      path: String(values['l1.chainConfig']),
      mode: 0o644,
      secret: false,
      content: { kind: 'text', text: `${JSON.stringify(l1ChainConfig(l1.chainId, l1.hardfork), null, 2)}\n` },
    },
  ];
}

function mostAccounts(chains: readonly PlannedChain[]): L1GenesisInputs['accounts'] {
  const byAddress = new Map<string, L1GenesisInputs['accounts'][number]>();
  for (const account of chains.flatMap(({ genesis }) => genesis.accounts)) {
    const other = byAddress.get(account.address);
    if (other === undefined || BigInt(other.balance) < BigInt(account.balance)) byAddress.set(account.address, account);
  }
  return [...byAddress.values()];
}
