import { join } from 'node:path';
import * as z from 'zod';
import {
  FORKS,
  type ForkName,
  type ForkSchedule,
  forksNeedingBundle,
  orderProblems,
  scheduleOf,
} from '../../protocol/forks/index.ts';
import type { Hex, RollupConfig, UpgradeBundle } from '../../protocol/types.ts';
import { Failure } from '../../system/failure.ts';
import { readJson } from '../../system/files.ts';

const hex = (bytes: number) =>
  z
    .custom<string>((value) => typeof value === 'string' && new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`).test(value), {
      error: `expected 0x and ${bytes * 2} hex digits`,
    })
    .transform((text) => text.toLowerCase() as Hex);
const integer = z.int({ error: 'expected a whole number' }).min(0);
const word = `0x${'0'.repeat(64)}` as Hex;
const blockId = z.object({ hash: hex(32), number: integer });

/** Keys that other programs write and this one does not read. */
const ignored = z.unknown().optional();

const systemConfig = z.strictObject({
  batcherAddr: hex(20),
  overhead: hex(32),
  scalar: hex(32),
  gasLimit: integer,
  eip1559Params: hex(8).default('0x0000000000000000'),
  operatorFeeParams: hex(32).default(word),
  minBaseFee: integer.default(0),
  daFootprintGasScalar: integer.default(0),
});

const chainOpConfig = z.strictObject({
  eip1559Elasticity: integer,
  eip1559Denominator: integer,
  eip1559DenominatorCanyon: integer.optional(),
});

const NO_ADDRESS = `0x${'0'.repeat(40)}`;

/** Commitments of kind keccak are challenged at a contract, generic ones cannot be. */
const altDa = z
  .strictObject({
    da_commitment_type: z.enum(['KeccakCommitment', 'GenericCommitment']),
    da_challenge_contract_address: hex(20).optional(),
    da_challenge_window: integer,
    da_resolve_window: integer,
  })
  .refine(
    ({ da_commitment_type: kind, da_challenge_contract_address: contract = NO_ADDRESS }) =>
      (kind === 'KeccakCommitment') === (contract !== NO_ADDRESS),
    { error: 'expected da_challenge_contract_address with KeccakCommitment, and none with GenericCommitment' },
  );

const base = {
  genesis: z.strictObject({ l1: blockId, l2: blockId, l2_time: integer, system_config: systemConfig }),
  block_time: integer.min(1),
  max_sequencer_drift: integer,
  seq_window_size: integer.min(1),
  channel_timeout: integer,
  l1_chain_id: integer,
  l2_chain_id: integer,
  batch_inbox_address: hex(20),
  deposit_contract_address: hex(20),
  l1_system_config_address: hex(20),
  protocol_versions_address: hex(20).optional(),
  superchain_config_address: ignored,
  da_challenge_contract_address: ignored,
  alt_da: altDa.nullable().optional(),
  chain_op_config: chainOpConfig.optional(),
};

/** rollup.json: an unknown key is an error, as it is to other rollup nodes, because a misspelt fork time would be swallowed else. */
const schema = z.strictObject({
  ...base,
  ...Object.fromEntries(
    FORKS.flatMap(({ rollupKey }) => (rollupKey === null ? [] : [[rollupKey, integer.nullable().optional()]])),
  ),
});

/**
 * Reads rollup.json and lays the overrides over its fork times.
 * @throws Failure `rollup-config` with every problem, each with its path
 */
export function loadRollupConfig(path: string, overrides: ForkSchedule): RollupConfig {
  const parsed = schema.safeParse(readJson(path));
  if (!parsed.success)
    throw invalid(
      path,
      parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the document'}: ${issue.message}`),
    );
  const times = Object.fromEntries(
    FORKS.flatMap(({ name, rollupKey }) => {
      if (rollupKey === null) return [];
      const time = overrides[name] ?? (parsed.data as Record<string, unknown>)[rollupKey];
      return typeof time === 'number' ? [[rollupKey, time]] : [];
    }),
  );
  const plain = Object.fromEntries(
    Object.keys(base)
      .map((key) => [key, (parsed.data as Record<string, unknown>)[key]])
      .filter(([, value]) => value !== undefined && value !== null),
  );
  const config = { ...plain, ...times } as unknown as RollupConfig;
  const disorder = orderProblems(scheduleOf(config)).map(
    ({ fork, before }) => `${fork} activates before ${before} does: forks keep their order`,
  );
  if (disorder.length > 0) throw invalid(path, disorder);
  return config;
}

/** The overrides among option values: `override.<fork>` as read. */
export function overridesOf(values: Readonly<Record<string, unknown>>): ForkSchedule {
  return Object.fromEntries(
    FORKS.flatMap(({ name, override }) =>
      override !== null && typeof values[override] === 'number' ? [[name, values[override]]] : [],
    ),
  ) as { [name in ForkName]?: number };
}

const bundle = z.object({
  metadata: z.looseObject({ version: z.string() }),
  transactions: z.array(
    z.object({
      intent: z.string(),
      from: hex(20),
      to: z
        .union([hex(20), z.null()])
        .optional()
        .transform((to) => to ?? null),
      gasLimit: z.union([
        integer,
        z
          .string()
          .regex(/^(0x[0-9a-fA-F]+|\d+)$/)
          .transform(Number),
      ]),
      data: z.custom<Hex>((value) => typeof value === 'string' && /^0x([0-9a-fA-F]{2})*$/.test(value)),
    }),
  ),
});

/**
 * The upgrade bundles of the forks that activate after genesis, from `<fork>.json` in a folder.
 * @throws Failure `upgrade-bundle` where a fork needs one and none is given
 */
export function loadBundles(config: RollupConfig, folder: string | undefined): Record<string, UpgradeBundle> {
  return Object.fromEntries(
    forksNeedingBundle(scheduleOf(config), config.genesis.l2_time).map(({ name }) => {
      if (folder === undefined)
        throw new Failure(
          'upgrade-bundle',
          `${name} activates after genesis and its upgrade transactions are not known`,
          {
            hint: `give the folder with ${name}.json: --rollup.upgrade-bundles=<folder>`,
            data: { fork: name },
          },
        );
      const path = join(folder, `${name}.json`);
      const parsed = bundle.safeParse(readJson(path));
      if (parsed.success) return [name, parsed.data as UpgradeBundle];
      const [issue] = parsed.error.issues;
      throw new Failure('upgrade-bundle', `${path} is no upgrade bundle: ${issue?.path.join('.')}: ${issue?.message}`, {
        data: { fork: name, path },
      });
    }),
  );
}

function invalid(path: string, problems: readonly string[]): Failure {
  return new Failure(
    'rollup-config',
    `${path} is no rollup configuration that this node can follow:\n  ${problems.join('\n  ')}`,
    {
      data: { path, problems },
    },
  );
}
