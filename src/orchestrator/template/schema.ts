import * as z from 'zod/mini';
import { L1_HARDFORKS } from '../../protocol/genesis/inputs.ts';
import { PROBE_KINDS } from '../probe/kinds.ts';
import { CLIENT_KINDS } from '../spec/resolve/client.ts';
import { FORK_NAMES } from '../spec/schema/fork-names.ts';
import { jsonSchemaOf } from '../spec/schema/json-schema.ts';
import { omit, optionName, variableName } from '../spec/schema/process.ts';
import { parseSeconds } from '../spec/schema/values.ts';
import { choice, key, whole, withDescription } from '../spec/schema/words.ts';

const text = z.string('text');
const words = z.array(text);
const value = z.union([text, z.number(), z.boolean()]);
const argument = z.union([text, z.number(), z.boolean(), z.null(), words]);
const argumentMap = z.record(optionName, argument);
const environment = z.record(variableName, value);

const options = {
  args: key(argumentMap, 'options by name, without their dashes; null: not given, a list: given several times'),
  env: key(environment, 'environment variables; a secret may stand here only'),
};
const probe = z.union(
  PROBE_KINDS.map(({ schema }) => schema({ z, withDescription, key })),
  `a probe, by one of the keys ${PROBE_KINDS.map(({ name }) => name).join(', ')}`,
);

const DURATION = 'a duration such as 5s';
/** A duration, read as milliseconds. */
const duration = z.pipe(
  z.string(DURATION),
  z.transform((text: string, payload) => {
    const seconds = parseSeconds(text);
    if (seconds !== undefined) return seconds * 1000;
    payload.issues.push({ code: 'custom', message: DURATION, input: text });
    return z.NEVER;
  }),
);

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}

const override = z.union([
  choice('chain-file', 'none'),
  z.strictObject({ flag: withDescription(text, 'the option that takes the time; `*` stands for the fork') }),
]);
const need = z.exactOptional(choice('spawned', 'ready'));

const probedPort = withDescription(text, 'name of one of its ports');

/** The shape of a template as it is written. */
export const templateSchema = z.strictObject({
  kind: withDescription(
    choice(...CLIENT_KINDS),
    'what the client is: L1, its beacon API, execution client, rollup node, batcher, proposer, challenger, signer, ' +
      'DA server or conductor',
  ),
  implementation: withDescription(text, 'the code base; `devnet check` counts agreement between different ones only'),
  engineKind: key(
    choice('geth', 'reth', 'erigon'),
    'of an execution client: what the rollup node is told that it is (`${el.engineKind}`)',
  ),
  engineWs: key(
    z.boolean('true or false'),
    'of an execution client: its Engine API is served by WebSocket too (`${el.engineWs}`)',
  ),
  stateRoot: key(
    choice('genesis', 'empty'),
    'of L1, the state root of its block 0: of the genesis state (default), or of the empty trie, as anvil has it',
  ),
  hardforks: key(
    z.array(choice(...L1_HARDFORKS)),
    'of L1 or its beacon API: Ethereum forks that it can run (default: all); a spec with another one is refused',
  ),
  l1Forks: key(
    z.boolean('true or false'),
    'of L1 or its beacon API: forks of L1 can activate after genesis (`l1.forks`)',
  ),
  slotsPerEpoch: key(
    whole(1, 1000),
    'of a beacon API that makes blocks by the Engine API: slots of its epochs, at whose first slots alone ' +
      'forks of L1 activate; it reads them from `${l1.consensusConfig}`',
  ),
  drivesAnvil: key(z.boolean('true or false'), 'of a beacon API: it makes the blocks of an L1 without an Engine API'),
  runs: withDescription(
    z.strictObject({
      embedded: key(text, 'name of a program of this package'),
      docker: key(
        z.strictObject({
          image: key(
            z.union([text, z.null()]),
            "the image if the spec gives none (default: the package's own); null: the spec has to give one",
          ),
          program: key(text, "path or name of the program in the image (default: the image's own entry point)"),
        }),
        'how it runs in a container; a program of this package needs no such key',
      ),
      process: key(
        z.union([text, z.null()]),
        'path or name of a binary if the spec gives none (`binary:`); null: the spec has to give one',
      ),
    }),
    'how it is launched',
  ),
  version: key(words, 'words after the program that make it print its version, such as `[--version]`'),
  versions: key(text, 'versions of the client that the template was written for, for readers'),
  booleans: key(
    choice('bare', 'value'),
    'how switches are spelt: value (default): `--http=true`; bare: `--http`, and a false one is left out',
  ),
  command: key(words, 'words before the options, such as `[node]`'),
  ...options,
  refuses: key(z.record(text, text), 'options that a spec must not give, each with what to use instead'),
  sequencer: key(z.strictObject(options), 'options of the sequencer only, over the common ones'),
  verifier: key(z.strictObject(options), 'options of verifiers only, over the common ones'),
  prepare: key(
    z.array(
      z.strictObject({
        command: key(words, 'words before the options'),
        args: options.args,
        operands: key(words, 'words after the options'),
      }),
    ),
    'runs of the same program before its start, each to its end, such as `init`',
  ),
  rewind: key(
    z.strictObject({ command: key(words, 'words before the options'), args: options.args }),
    'run of the same program that takes the chain back while the client is stopped; the block number is its last word',
  ),
  resume: key(
    z.strictObject({
      file: withDescription(text, 'the file'),
      args: withDescription(argumentMap, 'options that it is given over the others'),
    }),
    'of a client that keeps its chain in memory only: how it starts if a file with its state exists',
  ),
  omit: key(
    omit,
    'keys that a file lacks when it is handed to this client, by the reference of the file; it gets a copy of its own',
  ),
  ports: withDescription(
    z.record(
      z.string().check(z.regex(/^[a-z][a-zA-Z0-9]*$/, 'letters and digits')),
      z.union([
        choice('tcp', 'udp'),
        z.strictObject({
          transport: key(choice('tcp', 'udp'), 'default tcp'),
          offset: key(z.int(), "distance from the node's first port (default: the usual one of the name)"),
          with: key(text, 'the port is open only if this switch is given'),
          without: key(text, 'the port is closed if this switch is given'),
        }),
      ]),
    ),
    'its ports by name; each is reserved, and `${port.NAME}` is its number',
  ),
  needs: key(
    z.strictObject({ l1: need, beacon: need, el: need, cl: need }),
    'processes that have to be spawned or ready before it starts; `el` and `cl` are those of the same node, ' +
      'of the sequencer for a batcher or proposer',
  ),
  forks: key(
    z.strictObject({
      override: key(override, 'for every fork that is not named'),
      ...Object.fromEntries(FORK_NAMES.map((fork) => [fork, z.exactOptional(override)])),
    }),
    'how another activation time reaches it: a flag, `chain-file` (a chain file of its own), or ' +
      '`none` (it does not read the time)',
  ),
  upgradeBundles: key(
    choice('directory', 'builtin', 'none'),
    'of a rollup node, the source of its upgrade transactions: directory (`${chain.bundles}`), ' +
      'builtin (compiled in) or none (default)',
  ),
  until: key(choice(...FORK_NAMES), 'newest fork that it implements; a spec that schedules a later one is refused'),
  distinctTimesFrom: key(
    choice(...FORK_NAMES),
    'first fork that it refuses at one time with the fork before it; genesis does not count',
  ),
  clock: withDescription(
    choice('network', 'wall', 'none'),
    "network: follows `${clock}`. wall: reads the machine's clock, so that the network's time cannot be moved. " +
      'none: uses no time',
  ),
  pace: key(
    z.strictObject({
      l1Blocks: key(text, 'the option whose value is a number of L1 blocks'),
      every: key(text, 'the option whose value is a duration'),
      atLeast: key(duration, 'the least time that is granted'),
      safeWith: key(text, 'the option with which a proposer posts safe blocks; without, it posts finalized ones'),
    }),
    'how often it posts to L1, beside the `interval` of the spec; ' +
      'a network whose batcher or proposer is late is degraded',
  ),
  polls: key(
    z.strictObject({
      l1Head: key(duration, 'its derivation and its safe head move no oftener'),
      l1Finality: key(duration, 'its finalized head moves no oftener'),
    }),
    'of a rollup node, how often it reads the newest and the final block of L1, if no option says so',
  ),
  harmless: key(
    z.array(z.string('text').check(z.refine(isPattern, 'a regular expression'))),
    'regular expressions for lines of its log that look like an error and are not one',
  ),
  firstBlock: key(
    z.strictObject({
      rpc: withDescription(text, 'URL of its JSON-RPC server'),
      method: withDescription(text, 'the method that takes `{ executionPayload, parentBeaconBlockRoot }`'),
      head: withDescription(text, 'URL of its execution client, whose newest block is sent'),
    }),
    'of a rollup node that derives only after a first unsafe block: ' +
      'a verifier without peers is sent its own head at every start',
  ),
  probe: key(
    z.union(
      [
        z.strictObject({
          httpGet: withDescription(
            z.strictObject({ path: withDescription(text, 'path of the URL'), port: probedPort }),
            'answers a GET with a success',
          ),
        }),
        z.strictObject({
          tcpSocket: withDescription(z.strictObject({ port: probedPort }), 'takes a connection'),
        }),
      ],
      '{ httpGet: { path, port } } or { tcpSocket: { port } }',
    ),
    'what Kubernetes asks whether it is ready, with the name of a port (default: its first port by TCP)',
  ),
  ready: withDescription(z.array(probe), 'probes that all hold when it is ready'),
  live: key(z.array(probe), 'probes that keep holding while it is well'),
  stop: withDescription(
    z.strictObject({
      signal: key(choice('SIGTERM', 'SIGINT', 'SIGQUIT'), 'default SIGTERM'),
      again: key(
        duration,
        'when the signal is sent a second time: at it, programs of the field end without waiting for transactions',
      ),
      grace: withDescription(duration, 'how long it may take to end before it is killed'),
    }),
    'how it is ended',
  ),
});

/** A template's document, its shape checked. */
export type TemplateDocument = z.output<typeof templateSchema>;

/** The schema of templates for editors, JSON Schema draft 7. */
export function templateJsonSchema(): object {
  return { ...jsonSchemaOf(templateSchema), title: 'rollup-devnet client template' };
}
