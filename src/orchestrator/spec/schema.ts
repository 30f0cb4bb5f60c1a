import * as z from 'zod/mini';
import { L1_HARDFORKS, WITHDRAWAL_SYSTEMS } from '../../protocol/genesis/inputs.ts';
import { BASES, FORK_NAMES } from './forks.ts';
import type { Path } from './tree.ts';
import { AMOUNT, BYTES, FORK_TIME, parseBytes, parseForkTime, parseWei } from './values.ts';

z.config({ jitless: true });

/** Names of devnets, chains and nodes: they become folders, process names and host names. */
export const NAME = /^[a-z0-9][a-z0-9-]{0,38}$/;
const NAME_TEXT = 'lower-case letters, digits and dashes, at most 39, not beginning with a dash';

/** Every `error` below is what the message calls allowed. */
const described = <T extends z.ZodMiniType>(type: T, description: string) => type.check(z.describe(description)) as T;
const whole = (least: number, most: number, unit = '') => {
  const error = `a whole number from ${least} to ${most}${unit}`;
  return z.int(error).check(z.gte(least, error), z.lte(most, error));
};
const seconds = whole(1, 10_000_000, ' seconds');
const choice = <const V extends readonly [string, ...string[]]>(...values: V) => z.enum(values, values.join(', '));
const text = z.string('text').check(z.regex(/^[^\0]+$/, 'text that is not empty'));
const ADDRESS = 'an address of 20 bytes in quotes: "0x" and 40 hex digits';
const address = z.string(ADDRESS).check(z.regex(/^0x[0-9a-fA-F]{40}$/, ADDRESS));
const name = z.string(NAME_TEXT).check(z.regex(NAME, NAME_TEXT));
const url = (protocols: string) =>
  z.string(`a URL (${protocols})`).check(z.regex(new RegExp(`^(${protocols})://[^\\s/]+`), `a URL (${protocols})`));

const argument = z.union([
  z.string().check(z.regex(/^[^\0]*$/, 'text without NUL')),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.union([text, z.number()])),
]);
const args = z.record(z.string().check(z.regex(/^[A-Za-z0-9][\w.-]*$/, 'an option name without its dashes')), argument);
const env = z.record(
  z
    .string()
    .check(
      z.regex(/^(?!DEVNET_(HOME|NAME)$)[A-Za-z_]\w*$/, 'a variable name; DEVNET_HOME and DEVNET_NAME are set already'),
    ),
  z.union([z.string().check(z.regex(/^[^\0]*$/, 'text without NUL')), z.number(), z.boolean(), z.null()]),
);

/** Files that a client may be handed without some of their keys, by their references in templates. */
export const OMITTABLE = ['chain.rollup', 'chain.genesis', 'l1.genesis', 'l1.chainConfig'] as const;

/** Path of a key in a JSON file. */
const KEY_PATH = /^[^.\0]+(\.[^.\0]+)*$/;
const KEY_PATH_TEXT = 'a path of keys with dots between them: genesis.system_config.minBaseFee';

/** Paths of keys by the file that lacks them. */
export const omit = z.partialRecord(
  choice(...OMITTABLE),
  z.array(z.string(KEY_PATH_TEXT).check(z.regex(KEY_PATH, KEY_PATH_TEXT))),
);

const client = described(text, 'a template of the package (see `devnet clients`), or the path of one');
const process = {
  client: z.optional(client),
  runtime: z.optional(
    described(choice('embedded', 'process'), 'embedded: a program of this package; process: a binary of yours'),
  ),
  binary: z.optional(described(text, 'the program, relative to the spec; implies runtime: process')),
  launch: z.optional(described(choice('spawn', 'manual'), 'manual: the command is printed and you start it')),
  args: z.optional(described(args, 'options by name; null drops a default')),
  env: z.optional(described(env, 'environment; null drops a default')),
  ports: z.optional(described(z.record(text, whole(1, 65535)), 'ports by name')),
  omit: z.optional(
    described(omit, 'keys that a file lacks when it is handed to this program: { chain.rollup: [chain_op_config] }'),
  ),
};
const shorthand = <T extends z.ZodMiniType>(type: T) => z.union([client, type, z.null()]);

const forkTime = described(
  z.union([
    choice('genesis', 'never'),
    z.string().check(z.refine((value) => parseForkTime(value) !== undefined, FORK_TIME)),
    z.int().check(z.gte(1, FORK_TIME)),
    z.strictObject({ block: whole(0, 1e9) }),
  ]),
  FORK_TIME,
);
const forkTimes = (names: readonly string[]) => Object.fromEntries(names.map((fork) => [fork, z.optional(forkTime)]));

const el = z.strictObject({
  ...process,
  external: z.optional(
    described(
      z.strictObject({
        http: url('http|https'),
        ws: z.optional(url('ws|wss')),
        engine: url('http|https|ws|wss'),
        jwt: text,
      }),
      'an execution client that is already running; jwt is the path of its secret',
    ),
  ),
});
const cl = z.strictObject({
  ...process,
  external: z.optional(
    described(
      z.strictObject({ rpc: url('http|https'), p2p: z.optional(text) }),
      'a rollup node that is already running',
    ),
  ),
});
const onExit = described(
  choice('fail', 'restart', 'ignore'),
  'what becomes of the network when a process ends by itself',
);

const node = z.strictObject({
  role: z.optional(choice('sequencer', 'verifier')),
  count: z.optional(described(whole(1, 50), 'that many nodes, NAME-1 to NAME-n')),
  el: z.optional(shorthand(el)),
  cl: z.optional(shorthand(cl)),
  override: z.optional(described(z.strictObject(forkTimes(FORK_NAMES.slice(1))), 'activation times of this node only')),
  peers: z.optional(
    described(
      z.array(z.string('names of nodes of this chain')),
      'nodes kept connected; default: all others that do not leave it out of their own list; []: none',
    ),
  ),
});

const chain = z.strictObject({
  chainId: z.optional(whole(1, Number.MAX_SAFE_INTEGER)),
  blockTime: z.optional(whole(1, 3600, ' seconds')),
  gasLimit: z.optional(whole(2_000_000, 1_000_000_000)),
  accounts: z.optional(
    z.strictObject({
      count: z.optional(whole(0, 1000)),
      mnemonic: z.optional(described(text, 'a mnemonic of your own, of 12 to 24 English words')),
      addresses: z.optional(described(z.array(address), 'accounts that are funded besides')),
      balance: z.optional(
        described(
          z.union([
            z.string().check(z.refine((value) => parseWei(value) !== undefined, AMOUNT)),
            z.int().check(z.gte(0, AMOUNT)),
          ]),
          AMOUNT,
        ),
      ),
    }),
  ),
  forks: z.optional(
    z.strictObject({
      ...forkTimes(FORK_NAMES.slice(1)),
      base: z.optional(
        described(choice(...(BASES as [string, ...string[]])), 'active at genesis up to and including this one'),
      ),
    }),
  ),
  bundles: z.optional(
    described(
      z.strictObject(Object.fromEntries(FORK_NAMES.map((fork) => [fork, z.optional(text)]))),
      'upgrade bundle files used instead of the package’s',
    ),
  ),
  systemConfig: z.optional(
    z.strictObject({
      baseFeeScalar: z.optional(whole(0, 2 ** 32 - 1)),
      blobBaseFeeScalar: z.optional(whole(0, 2 ** 32 - 1)),
      operatorFeeScalar: z.optional(whole(0, 2 ** 32 - 1)),
      operatorFeeConstant: z.optional(whole(0, Number.MAX_SAFE_INTEGER)),
      minBaseFee: z.optional(whole(0, Number.MAX_SAFE_INTEGER, ' wei')),
      daFootprintGasScalar: z.optional(whole(0, 65535)),
    }),
  ),
  batcher: z.optional(
    z.union([
      client,
      z.literal(false),
      z.strictObject({ ...process, da: z.optional(choice('calldata', 'blobs')) }),
      z.null(),
    ]),
  ),
  proposer: z.optional(
    z.union([
      client,
      z.literal(false),
      z.strictObject({
        ...process,
        interval: z.optional(described(seconds, 'between two proposals; an output oracle counts whole L2 blocks')),
        system: z.optional(
          described(
            choice(...WITHDRAWAL_SYSTEMS),
            'output-oracle: outputs in one contract; dispute-games: a permissioned game for each',
          ),
        ),
        finalization: z.optional(described(seconds, 'between the proof of a withdrawal and its finalization')),
        gameClock: z.optional(described(seconds, 'between the creation of an unchallenged game and its resolution')),
        gameFinality: z.optional(described(seconds, 'between the resolution of a game and finalization')),
      }),
      z.null(),
    ]),
  ),
  onExit: z.optional(onExit),
  alloc: z.optional(described(text, 'a file with accounts of your own: the alloc of a genesis file')),
  from: z.optional(described(z.strictObject({ genesis: text, rollup: text }), "an existing chain's files")),
  nodes: z.optional(z.record(name, z.union([node, z.null()]))),
});

/** The shape of a spec as it is written: everything may be left out. */
export const specSchema = z.strictObject({
  version: z.optional(z.literal(1, '1')),
  base: z.optional(described(text, 'another spec that this one is laid over: a name in devnets, or a path')),
  name: z.optional(name),
  seed: z.optional(described(whole(0, Number.MAX_SAFE_INTEGER), 'node keys, peer ids and JWT secrets derive from it')),
  ports: z.optional(
    described(
      choice('preferred', 'fixed', 'auto'),
      'preferred: the next free one where it is taken; fixed: an error; auto: any',
    ),
  ),
  time: z.optional(
    z.strictObject({
      genesis: z.optional(
        z.union([choice('now'), z.int().check(z.gte(1, 'now, or a Unix timestamp'))], 'now, or a Unix timestamp'),
      ),
    }),
  ),
  logs: z.optional(
    z.strictObject({
      size: z.optional(
        described(
          z.union([z.string(), z.int()], BYTES).check(z.refine((value) => parseBytes(value) !== undefined, BYTES)),
          'at this size the log of a process is rotated; one older part is kept',
        ),
      ),
    }),
  ),
  l1: z.optional(
    shorthand(
      z.strictObject({
        ...process,
        chainId: z.optional(whole(1, Number.MAX_SAFE_INTEGER)),
        blockTime: z.optional(whole(1, 3600, ' seconds')),
        port: z.optional(whole(1, 65535)),
        hardfork: z.optional(
          described(
            choice(...L1_HARDFORKS),
            'the Ethereum fork of L1; cancun for a rollup node that cannot read the headers of prague, osaka for its transaction gas limit',
          ),
        ),
        finality: z.optional(
          described(choice('devnet', 'real'), 'devnet: finalized two blocks behind the head; real: epochs of 32 slots'),
        ),
        onExit: z.optional(onExit),
        alloc: z.optional(described(text, 'a file with accounts of your own: the alloc of a genesis file')),
        beacon: z.optional(shorthand(z.strictObject(process))),
      }),
    ),
  ),
  chains: z.optional(z.record(name, z.union([chain, z.null()]))),
});

/** The schema for editors, JSON Schema draft 7. */
export function specJsonSchema(): object {
  return {
    ...jsonSchemaOf(specSchema),
    title: 'rollup-devnet specification',
  };
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
}

const converted = new WeakMap<z.ZodMiniType, JsonSchema>();

/** The JSON schema of a schema, converted once. */
export function jsonSchemaOf(schema: z.ZodMiniType): JsonSchema {
  const known = converted.get(schema);
  if (known !== undefined) return known;
  const made = z.toJSONSchema(schema, { target: 'draft-07', io: 'input', unrepresentable: 'any' }) as JsonSchema;
  converted.set(schema, made);
  return made;
}

/** The keys that a schema knows at a path, for messages. */
export function keysOf(schema: z.ZodMiniType, path: Path): readonly string[] {
  let open: readonly JsonSchema[] = [jsonSchemaOf(schema)];
  for (const part of path) open = open.flatMap(branches).flatMap((one) => child(one, part) ?? []);
  return [...new Set(open.flatMap(branches).flatMap(({ properties }) => Object.keys(properties ?? {})))].sort();
}

function branches(schema: JsonSchema): readonly JsonSchema[] {
  return schema.anyOf === undefined ? [schema] : schema.anyOf.flatMap(branches);
}

function child({ properties, additionalProperties, items }: JsonSchema, part: string | number): JsonSchema | undefined {
  if (typeof part === 'number') return items;
  const own = properties !== undefined && Object.hasOwn(properties, part) ? properties[part] : undefined;
  return own ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
}
