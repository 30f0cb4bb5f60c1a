import * as z from 'zod/mini';
import { bytes, orEmpty } from './codecs.ts';
import { place } from './place.ts';
import { anyText, choice, key, RUNTIMES, text, url, whole, withDescription } from './words.ts';

/** Clients of the processes that name none, those of a node by its role. */
export const CLIENTS = {
  l1: 'anvil',
  beacon: 'l1-beacon',
  sequencer: 'execution-rust',
  verifier: 'execution-go',
  cl: 'rollup-node',
  batcher: 'batcher',
  proposer: 'proposer',
  challenger: 'challenger',
  signer: 'signer',
  altDa: 'da-server',
  conductor: 'conductor',
} as const;

/** Files that a client may be handed without some of their keys, by their references in templates. */
const OMITTABLE = ['chain.rollup', 'chain.genesis', 'l1.genesis', 'l1.chainConfig'] as const;
const KEY_PATH_TEXT = 'a path of keys with dots between them: genesis.system_config.minBaseFee';

/** Paths of keys by the file that lacks them. */
export const omit = z.partialRecord(
  choice(...OMITTABLE),
  z.array(z.string(KEY_PATH_TEXT).check(z.regex(/^[^.\0]+(\.[^.\0]+)*$/, KEY_PATH_TEXT))),
);
export type OmittedKeys = z.output<typeof omit>;

/** The name of an option in a map of options. */
export const optionName = z.string().check(z.regex(/^[A-Za-z0-9][\w.-]*$/, 'an option name without its dashes'));
const argument = z.union([anyText, z.number(), z.boolean(), z.null(), z.array(z.union([text, z.number()]))]);
/** The name of an environment variable that a client may be given. */
export const variableName = z
  .string()
  .check(
    z.regex(/^(?!DEVNET_(HOME|NAME)$)[A-Za-z_]\w*$/, 'a variable name; DEVNET_HOME and DEVNET_NAME are set already'),
  );
const variable = z.codec(z.union([anyText, z.number(), z.boolean(), z.null()]), z.union([z.string(), z.null()]), {
  decode: (value) => (value === null ? null : String(value)),
  encode: (value) => value,
});

const client = withDescription(text, 'a template of the package (see `devnet clients`), or the path of one');

const IMAGE = 'the name of a container image';
const CPUS = 'a number from 0.01 to 1024';

/** How one process is launched, beside its client. */
const launch = {
  runtime: key(
    choice(...RUNTIMES),
    'embedded: a program of this package; process: a binary of yours; docker: a container',
  ),
  binary: key(text, 'the program, relative to the spec; implies runtime: process'),
  image: key(
    z.string(IMAGE).check(z.regex(/^[\w][\w.:/@+-]{0,254}$/, IMAGE)),
    'the image of its container, such as example.org/op-reth:v1; implies runtime: docker',
  ),
  limits: key(
    z.strictObject({
      cpus: key(z.number(CPUS).check(z.gte(0.01, CPUS), z.lte(1024, CPUS)), 'processors that its container may use'),
      memory: key(bytes, 'memory that its container may use: 2 GB; above it, the container is killed'),
    }),
    'bounds of its container',
  ),
  place,
  launch: z._default(
    withDescription(choice('spawn', 'manual'), 'manual: the command is printed and you start it'),
    'spawn',
  ),
};
const options = {
  args: z._default(withDescription(z.record(optionName, argument), 'options by name; null drops a default'), {}),
  env: z._default(withDescription(z.record(variableName, variable), 'environment; null drops a default'), {}),
  ports: z._default(withDescription(z.record(text, whole(1, 65535)), 'ports by name'), {}),
  omit: orEmpty(
    withDescription(
      omit,
      'keys that a file lacks when it is handed to this program: { chain.rollup: [chain_op_config] }',
    ),
    {},
  ),
};

/** The keys of a process with a default client; its own keys are written before its options. */
export function processOf<T extends object>(defaultClient: string, keys: T) {
  return { client: z._default(client, defaultClient), ...launch, ...keys, ...options };
}

export const el = z.strictObject({
  client: z.exactOptional(client),
  ...launch,
  external: key(
    z.strictObject({
      http: withDescription(url('http|https'), 'its JSON-RPC'),
      ws: key(url('ws|wss'), 'its JSON-RPC by WebSocket'),
      engine: withDescription(url('http|https|ws|wss'), 'its Engine API'),
      jwt: withDescription(text, 'path of the secret of its Engine API'),
    }),
    'an execution client that is already running; jwt is the path of its secret',
  ),
  ...options,
});

export const cl = z.strictObject(
  processOf(CLIENTS.cl, {
    external: key(
      z.strictObject({
        rpc: withDescription(url('http|https'), 'its JSON-RPC'),
        p2p: key(text, 'its multiaddress'),
      }),
      'a rollup node that is already running',
    ),
    follow: key(
      text,
      'a node of this chain whose safe and finalized heads it follows in place of deriving them (light node)',
    ),
  }),
);

/** A process, or its client's name alone. */
export function shorthand<T extends z.ZodMiniType>(type: T, fromClient: (client?: string) => z.input<T>) {
  return z.union([
    z.codec(client, type, { decode: fromClient, encode: () => z.NEVER }),
    type,
    z.codec(z.null(), type, { decode: () => fromClient(), encode: () => z.NEVER }),
  ]);
}

/** What happens to the network when a process ends by itself. */
export const onExit = z._default(
  withDescription(choice('fail', 'restart', 'ignore'), 'what becomes of the network when a process ends by itself'),
  'fail',
);
