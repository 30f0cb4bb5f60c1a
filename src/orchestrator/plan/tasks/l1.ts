import { consensusForks } from '../../../protocol/forks/consensus.ts';
import { forksOf } from '../../../protocol/forks/l1-forks.ts';
import { type L1ForkTimes, type L1GenesisInputs, l1ChainConfig } from '../../../protocol/genesis/index.ts';
import type { ProcessSpec } from '../../spec/schema/types.ts';
import type { Values } from '../../template/references.ts';
import type { Geneses, PlannedChain } from '../chain/planned-chain.ts';
import type { PlanContext } from '../context.ts';
import { deriveSecret } from '../keys.ts';
import { entryOf } from '../lookup.ts';
import type { PlannedFile, Task } from '../plan.ts';
import { OUTSIDE, SUPERVISOR, urlOf } from '../reach.ts';
import { needsOf } from './needs.ts';
import { type PlannedTask, planTask } from './task.ts';
import { ENGINE, networkValues, type ValuesFor } from './values.ts';

/** What L1 adds to a plan. */
export interface PlannedL1 {
  /** L1 and its beacon node. */
  readonly tasks: readonly Task[];
  readonly files: readonly PlannedFile[];
  readonly notices: readonly string[];
  /** The references that every task may use. */
  readonly values: ValuesFor;
  /** Those of its files that other tasks read too. */
  readonly shared: readonly PlannedFile[];
  /** URLs of the server that users see, and of L1 itself. */
  readonly urls: Readonly<Record<'rpc' | 'ws' | 'beacon', string>> & { readonly direct: Readonly<L1Urls> };
}

interface L1Urls {
  readonly rpc: string;
  readonly ws: string;
}

/** Plans L1 and its beacon node. */
export function planL1(context: PlanContext, geneses: Geneses): PlannedL1 {
  const { spec, clients, addresses } = context;
  const hasEngine = entryOf(clients, spec.l1.client).ports[ENGINE] !== undefined;
  const jwt = hasEngine ? jwtOf(context) : undefined;
  const keys = hasEngine ? keysFile(context, geneses.chains) : undefined;
  const consensus = consensusFile(context, geneses.l1.inputs);
  const facts = { hasEngine, jwt: jwt?.file.path, keys: keys?.path, consensus: consensus?.path };
  const values = (from: string) => networkValues(context, geneses, facts, from);
  const shared = [...sharedFiles(context, values('l1'), geneses), ...(jwt === undefined ? [] : [jwt.file])];
  const ofBeacon = [keys, consensus].filter((file) => file !== undefined);
  const parts = { context, values, shared, secrets: jwt === undefined ? [] : [jwt.secret] };
  const l1 = planPart('l1', spec.l1, parts);
  const beacon = planPart('l1-beacon', spec.l1.beacon, { ...parts, shared: [...shared, ...ofBeacon] });
  const urls = (from: string) => ({
    rpc: urlOf(addresses, 'http', from, 'l1', 'rpc'),
    ws: urlOf(addresses, 'ws', from, 'l1', 'rpc'),
  });
  return {
    tasks: [l1.task, beacon.task],
    files: [...shared, ...ofBeacon, ...l1.files, ...beacon.files],
    notices: [...l1.notices, ...beacon.notices],
    values,
    shared,
    urls: {
      ...urls(OUTSIDE),
      direct: urls(SUPERVISOR),
      beacon: urlOf(addresses, 'http', OUTSIDE, 'l1-beacon', 'http'),
    },
  };
}

/** Plans the secret of L1's Engine API. */
function jwtOf({ spec, inputs }: PlanContext): { readonly secret: string; readonly file: PlannedFile } {
  const secret = deriveSecret({ seed: spec.seed, devnet: spec.name, chain: '', node: 'l1' }, 'jwt', inputs.hkdf);
  const path = `${inputs.home}/nodes/l1-jwt.hex`;
  return { secret, file: { path, mode: 0o600, secret: true, content: { kind: 'text', text: `${secret}\n` } } };
}

/** Plans the keys for which the gate signs: those of the funded accounts, and those of the roles. */
function keysFile({ inputs }: PlanContext, chains: readonly PlannedChain[]): PlannedFile {
  const keysOf = (accounts: readonly { readonly privateKey?: string }[]) => [
    ...new Set(accounts.flatMap(({ privateKey }) => privateKey ?? [])),
  ];
  const keys = {
    accounts: keysOf(chains.flatMap(({ accounts }) => accounts)),
    roles: keysOf(chains.flatMap(({ roles }) => Object.values(roles))),
  };
  const text = `${JSON.stringify(keys, null, 2)}\n`;
  return { path: `${inputs.home}/nodes/l1-keys.json`, mode: 0o600, secret: true, content: { kind: 'text', text } };
}

/** Plans the forks of the beacon chain, for a beacon node that begins each of them with an epoch. */
function consensusFile({ spec, clients, inputs }: PlanContext, l1: L1GenesisInputs): PlannedFile | undefined {
  const { slotsPerEpoch } = entryOf(clients, spec.l1.beacon.client);
  if (slotsPerEpoch === null) return undefined;
  const seconds = slotsPerEpoch * spec.l1.blockTime;
  const epochOf = (time: number) => Math.ceil(Math.max(0, time - l1.genesisTime) / seconds);
  const text = `${JSON.stringify(consensusForks(forksOf(l1ChainConfig(l1)), epochOf), null, 2)}\n`;
  const path = `${inputs.home}/genesis/l1-consensus.json`;
  return { path, mode: 0o644, secret: false, content: { kind: 'text', text } };
}

function sharedFiles({ spec }: PlanContext, values: Values, { l1: { inputs } }: Geneses): readonly PlannedFile[] {
  return [
    {
      path: String(values['l1.genesis']),
      mode: 0o644,
      secret: false,
      content: { kind: 'l1-genesis', inputs },
    },
    l1ConfigFile(spec, values, inputs.forks),
  ];
}

/** Plans the chain configuration of L1, which rollup nodes read. */
export function l1ConfigFile({ l1 }: PlanContext['spec'], values: Values, forks: L1ForkTimes = {}): PlannedFile {
  const text = `${JSON.stringify(l1ChainConfig({ ...l1, forks }), null, 2)}\n`;
  return { path: String(values['l1.chainConfig']), mode: 0o644, secret: false, content: { kind: 'text', text } };
}

interface L1Parts {
  readonly context: PlanContext;
  readonly values: ValuesFor;
  readonly shared: readonly PlannedFile[];
  readonly secrets: readonly string[];
}

function planPart(
  id: 'l1' | 'l1-beacon',
  process: ProcessSpec,
  { context, values, shared, secrets }: L1Parts,
): PlannedTask {
  const { spec, clients } = context;
  const template = entryOf(clients, process.client);
  const needs = needsOf(template, { el: 'l1', cl: 'l1' }, template);
  const { onExit } = spec.l1;
  return planTask(
    { id, process, template, values, overrides: {}, secrets, needs, files: shared, onExit, peers: 0 },
    context,
  );
}
