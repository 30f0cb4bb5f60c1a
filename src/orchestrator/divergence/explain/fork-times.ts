import { join } from 'node:path';
import { attributesToJson } from '../../../protocol/codec/attributes-json.ts';
import { decodeHeader } from '../../../protocol/codec/header.ts';
import { prepareAttributes } from '../../../protocol/derivation/attributes/attributes.ts';
import type { L2Chain, Rollup } from '../../../protocol/derivation/ports.ts';
import { rollupOf } from '../../../protocol/derivation/rollup.ts';
import { FORKS, type ForkSchedule, type UpgradeBundles } from '../../../protocol/forks/index.ts';
import { readUpgradeBundle } from '../../../protocol/genesis/file/bundle-file.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import { blobScheduleOf } from '../../../protocol/rules/l1-blob-fee/chain-config.ts';
import type { Hex, PayloadAttributes } from '../../../protocol/types.ts';
import { jsonField } from '../../../rpc/json-object.ts';
import { messageOf } from '../../../system/failure.ts';
import { readText } from '../../../system/files/folder.ts';
import { packageRoot } from '../../../system/program/entry.ts';
import type { ChainView, NodeView, Plan } from '../../plan/plan.ts';
import { rollupConfigOf } from '../../status/rollup-config.ts';
import { l1Reader } from './l1.ts';
import { payloadOf, type RawBlock, rawBlock, refOf } from './raw-block.ts';
import { type ReplayJob, runReplay } from './replay-program.ts';
import { type Candidate, candidates, describeChanges, scheduleFrom } from './schedules.ts';

/** The two sides of a divergence. */
export interface Sides {
  readonly plan: Plan;
  readonly chain: ChainView;
  readonly majority: NodeView;
  readonly minority: NodeView;
  readonly block: number;
}

/** What the block of the minority would be under other fork times. */
export interface ForkTimesResult {
  /** Whether the network's schedule gives exactly the majority's block. Without it the rest says nothing. */
  readonly control: { readonly same: boolean; readonly result: string };
  /** Schedules that give exactly the minority's block. */
  readonly explaining: readonly { readonly changes: Candidate['changes']; readonly text: string }[];
  /** Number of schedules that were executed, and of those that cannot be. */
  readonly tried: number;
  readonly impossible: number;
  /** Whether the minority's own fork times in the plan give exactly its block, and those of the network do not. */
  readonly own: boolean;
}

type Outcome = { readonly hash: string; readonly header: Hex } | { readonly error: string };

/**
 * Executes the minority's block under each other schedule, on the state after the common parent.
 * Attributes are derived again under each schedule, with the block's own L1 origin and transactions. The execution is
 * that of this package's execution client, which reads the state from the majority's node.
 * @throws Error if a node does not serve a block
 */
export async function forkTimes(
  { plan, chain, majority, minority, block }: Sides,
  execute: (job: ReplayJob) => Promise<readonly unknown[]> = (job) => runReplay(plan.home, job),
): Promise<ForkTimesResult> {
  const [ours, theirs, parent] = await Promise.all([
    rawBlock(majority.el.http, block),
    rawBlock(minority.el.http, block),
    rawBlock(majority.el.http, block - 1),
  ]);
  const network = scheduleFrom(chain.forks);
  const nodeSchedule = scheduleFrom(chain.forks, minority.overrides);
  const times = { parent: Number(parent.header.timestamp), block: Number(theirs.header.timestamp) };
  const others = candidates(network, times);
  const derive = deriver(plan, chain, parent);
  const requests = [
    { schedule: network, of: ours },
    { schedule: nodeSchedule, of: theirs },
    { schedule: network, of: theirs },
    ...others.map(({ schedule }) => ({ schedule, of: theirs })),
  ];
  const attributes = await Promise.all(
    requests.map(({ schedule, of }) =>
      derive(schedule, of).catch((error: unknown): { readonly error: string } => ({ error: messageOf(error) })),
    ),
  );
  const runs = requests.flatMap(({ schedule }, at) => {
    const one = attributes[at];
    return one === undefined || 'error' in one ? [] : [{ at, schedule, attributes: attributesToJson(one) }];
  });
  const answers = await execute({
    genesis: chain.genesisFile,
    state: majority.el.http,
    witnesses: [
      { url: majority.el.http, hash: ours.hash },
      { url: minority.el.http, hash: theirs.hash },
    ],
    parent: parent.encodedHeader,
    runs: runs.map(({ schedule, attributes: json }) => ({ schedule, attributes: json })),
  });
  const outcomes = new Map(runs.map(({ at }, index) => [at, readOutcome(answers[index])]));
  const outcomeOf = (at: number): Outcome => {
    const failed = attributes[at];
    if (failed !== undefined && 'error' in failed) return failed;
    return outcomes.get(at) ?? { error: 'it was not executed' };
  };
  const isBlock = (at: number, { hash }: RawBlock) => {
    const outcome = outcomeOf(at);
    return 'hash' in outcome && outcome.hash === hash;
  };
  const results = others.map((_, at) => outcomeOf(at + 3));
  return {
    control: { same: isBlock(0, ours), result: describe(outcomeOf(0), ours) },
    own: isBlock(1, theirs) && !isBlock(2, theirs),
    explaining: smallest(others.filter((_, at) => isBlock(at + 3, theirs))).map(({ changes }) => ({
      changes,
      text: describeChanges({ changes }, block),
    })),
    tried: results.filter((result) => 'hash' in result).length,
    impossible: results.filter((result) => 'error' in result).length,
  };
}

/** Leaves out schedules that change more than another one that has the same result. */
function smallest(all: readonly Candidate[]): readonly Candidate[] {
  const contains = (a: Candidate, b: Candidate) =>
    b.changes.every(({ fork, state }) => a.changes.some((change) => change.fork === fork && change.state === state));
  return all.filter((one) => !all.some((other) => other !== one && contains(one, other)));
}

function describe(outcome: Outcome, { hash, header }: RawBlock): string {
  if ('error' in outcome) return outcome.error;
  if (outcome.hash === hash) return hash;
  const built = decodeHeader(hexToBytes(outcome.header));
  const fields = new Map<string, unknown>(Object.entries(header));
  const differing = Object.entries(built).filter(([field, value]) => fields.get(field) !== value);
  return `${outcome.hash}, which differs in ${differing.map(([field]) => field).join(', ')}`;
}

/** Returns the function that derives the attributes of a child of `parent` under a schedule. */
function deriver(plan: Plan, chain: ChainView, parent: RawBlock) {
  const config = rollupConfigOf(chain);
  const l1BlobSchedule = blobScheduleOf(
    JSON.parse(readText(join(plan.home, 'genesis', 'l1-chain-config.json')) ?? '{}'),
  );
  const bundles = bundlesOf(plan);
  const reader = l1Reader(plan.network.l1.rpc);
  return async (schedule: ForkSchedule, of: RawBlock): Promise<PayloadAttributes> => {
    const rollup: Rollup = rollupOf(config, { schedule, bundles, ...(l1BlobSchedule && { l1BlobSchedule }) });
    const l2: Pick<L2Chain, 'payloadByHash'> = { payloadByHash: async () => payloadOf(parent, rollup) };
    const { l1origin } = refOf(of, rollup);
    const forced = await prepareAttributes(rollup, reader, l2, refOf(parent, rollup), l1origin);
    const users = of.transactions.filter((raw) => !raw.startsWith('0x7e'));
    return { ...forced, transactions: [...forced.transactions, ...users] };
  };
}

/** Reads the upgrade bundles: those of the devnet's files, else those of the package. */
function bundlesOf({ files }: Plan): UpgradeBundles {
  return Object.fromEntries(
    FORKS.flatMap(({ name, upgrade }) => {
      if (upgrade === null) return [];
      const planned = files.find(({ path }) => path.endsWith(`/bundles/${name}.json`))?.path;
      const text = readText(planned ?? join(packageRoot(), 'dist', 'bundles', `${name}.json`));
      const bundle = text === undefined ? undefined : readUpgradeBundle(JSON.parse(text));
      return bundle?.ok ? [[name, bundle.value] as const] : [];
    }),
  );
}

function readOutcome(answer: unknown): Outcome {
  const [hash, header, error] = ['hash', 'header', 'error'].map((key) => jsonField(answer, key));
  return typeof hash === 'string' && typeof header === 'string' && header.startsWith('0x')
    ? { hash, header: `0x${header.slice(2)}` }
    : { error: String(error ?? 'it was not executed') };
}
