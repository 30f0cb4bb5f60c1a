import * as z from 'zod/mini';
import { FORKS, KEEP_GAS_KEYS, orderProblems, scheduleOf } from '../../forks/index.ts';
import { lowerHex } from '../../hex.ts';
import type { RollupConfig, SystemConfig } from '../../types.ts';

z.config({ jitless: true });

/** The outcome of reading a document: its value, or every problem with its path. */
export type FileContent<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Hex data of a fixed length, in lower case. */
export const hex = (bytes: number) =>
  z.pipe(
    z.custom<string>(
      (value) => typeof value === 'string' && new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`).test(value),
      `expected 0x and ${bytes * 2} hex digits`,
    ),
    z.transform((text) => lowerHex(text)),
  );
/** A whole number of at least 0. */
export const integer = z.int('expected a whole number').check(z.gte(0));

/** Last Unix second that JavaScript's dates reach. A chain that begins later has no times that can be shown. */
const LAST_SECOND = 8_640_000_000_000;
const second = integer.check(z.lte(LAST_SECOND, `expected a Unix time in seconds, at most ${LAST_SECOND}`));

const positive = z.int('expected a whole number').check(z.gte(1));
const blockId = z.object({ hash: hex(32), number: integer });

/** A key that other programs write and this one does not read. */
const ignored = z.optional(z.unknown());

/** Values of the system-config keys that older files lack. */
const ABSENT: Pick<SystemConfig, 'eip1559Params' | 'operatorFeeParams' | 'minBaseFee' | 'daFootprintGasScalar'> = {
  eip1559Params: `0x${'0'.repeat(16)}`,
  operatorFeeParams: `0x${'0'.repeat(64)}`,
  minBaseFee: 0,
  daFootprintGasScalar: 0,
};

const systemConfig = z.strictObject({
  batcherAddr: hex(20),
  overhead: hex(32),
  scalar: hex(32),
  gasLimit: integer,
  eip1559Params: z._default(hex(8), ABSENT.eip1559Params),
  operatorFeeParams: z._default(hex(32), ABSENT.operatorFeeParams),
  minBaseFee: z._default(integer, ABSENT.minBaseFee),
  daFootprintGasScalar: z._default(integer, ABSENT.daFootprintGasScalar),
});

const chainOpConfig = z.strictObject({
  eip1559Elasticity: integer,
  eip1559Denominator: integer,
  eip1559DenominatorCanyon: z.optional(integer),
});

const NO_ADDRESS = `0x${'0'.repeat(40)}`;

/** Keccak commitments are challenged at a contract, generic ones cannot be challenged. */
const altDa = z
  .strictObject({
    da_commitment_type: z.enum(['KeccakCommitment', 'GenericCommitment']),
    da_challenge_contract_address: z.optional(hex(20)),
    da_challenge_window: integer,
    da_resolve_window: integer,
  })
  .check(
    z.refine(
      ({ da_commitment_type: kind, da_challenge_contract_address: contract = NO_ADDRESS }) =>
        (kind === 'KeccakCommitment') === (contract !== NO_ADDRESS),
      'expected da_challenge_contract_address with KeccakCommitment, and none with GenericCommitment',
    ),
  );

const base = {
  genesis: z.strictObject({ l1: blockId, l2: blockId, l2_time: second, system_config: systemConfig }),
  block_time: positive,
  max_sequencer_drift: integer,
  seq_window_size: positive,
  channel_timeout: integer,
  l1_chain_id: integer,
  l2_chain_id: integer,
  batch_inbox_address: hex(20),
  deposit_contract_address: hex(20),
  l1_system_config_address: hex(20),
  protocol_versions_address: z.optional(hex(20)),
  superchain_config_address: ignored,
  da_challenge_contract_address: ignored,
  alt_da: z.optional(z.nullable(altDa)),
  chain_op_config: z.optional(chainOpConfig),
};

/** rollup.json. An unknown key is an error, because a misspelt fork time would be ignored otherwise. */
const schema = z.strictObject({
  ...base,
  ...Object.fromEntries(
    FORKS.flatMap(({ rollupKey }) => (rollupKey === null ? [] : [[rollupKey, z.optional(z.nullable(integer))]])),
  ),
  ...Object.fromEntries(KEEP_GAS_KEYS.map((key) => [key, z.optional(z.nullable(z.boolean()))])),
});

/**
 * Reads rollup.json (op-node: `Config.ParseRollupConfig`, `Config.Check`).
 * Fills in system-config keys that older files lack, and leaves out keys that are null.
 */
export function readRollupConfig(document: unknown): FileContent<RollupConfig> {
  const parsed = schema.safeParse(document);
  if (!parsed.success) return { ok: false, problems: problemsOf(parsed.error.issues) };
  const read = new Map(Object.entries(parsed.data));
  const keys = [...Object.keys(base), ...FORKS.flatMap(({ rollupKey }) => rollupKey ?? []), ...KEEP_GAS_KEYS];
  const value = Object.fromEntries(
    keys.map((key) => [key, read.get(key)]).filter(([, one]) => one !== undefined && one !== null),
  ) as unknown as RollupConfig;
  return { ok: true, value };
}

/** Returns a message for each fork that activates before its predecessor (op-node: `checkFork`). */
export function forkDisorder(config: RollupConfig): readonly string[] {
  return orderProblems(scheduleOf(config)).map(
    ({ fork, before }) => `${fork} activates before ${before} does: forks keep their order`,
  );
}

/** An issue of the schema library, as far as messages need it. */
interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly expected?: string;
}

/** Returns messages for a schema's issues, each behind its path. */
export function problemsOf(issues: readonly Issue[]): readonly string[] {
  return issues.map(({ path, message, keys, expected }) => {
    const place = path.map(String).join('.') || 'the document';
    if (keys !== undefined) return `${place}: unknown key ${keys.map((key) => `"${key}"`).join(', ')}`;
    // A process that has loaded the library's English has `Invalid input: expected string, received number`.
    const isGeneric = message.startsWith('Invalid input');
    return `${place}: ${isGeneric && expected !== undefined ? `expected ${expected}` : message}`;
  });
}
