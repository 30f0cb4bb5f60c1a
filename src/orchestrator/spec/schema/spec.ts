import * as z from 'zod/mini';
import { L1_GAS_LIMIT, L1_HARDFORKS } from '../../../protocol/genesis/inputs.ts';
import { chain } from './chain.ts';
import { bytes, orEmpty, orNothing, orNull } from './codecs.ts';
import { jsonSchemaOf } from './json-schema.ts';
import { l1BlobSchedule, l1ForkTimes } from './l1-forks.ts';
import { place } from './place.ts';
import { CLIENTS, onExit, processOf, shorthand } from './process.ts';
import { choice, command, key, name, RUNTIMES, text, url, whole, withDescription } from './words.ts';

const beacon = z.strictObject(processOf(CLIENTS.beacon, {}));

const l1Forks = z.strictObject({
  base: key(choice(...L1_HARDFORKS), 'active at genesis up to and including this one; default prague'),
  ...l1ForkTimes,
});

const l1 = z.strictObject({
  ...processOf(CLIENTS.l1, {}),
  port: key(whole(1, 65535), "the port of L1's RPC"),
  chainId: z._default(withDescription(whole(1, Number.MAX_SAFE_INTEGER), 'the chain id of L1'), 900),
  blockTime: z._default(withDescription(whole(1, 3600, ' seconds'), 'seconds between two blocks of L1'), 2),
  hardfork: key(
    choice(...L1_HARDFORKS),
    'the Ethereum fork of L1, short for `forks: { base }`; default: prague; cancun for a rollup node that cannot ' +
      'read the headers of prague, osaka for its transaction gas limit',
  ),
  forks: z.prefault(withDescription(l1Forks, 'when forks of L1 activate'), {}),
  blobSchedule: z.prefault(
    withDescription(l1BlobSchedule, 'blobs of the blocks of each fork; default: as on mainnet (EIP-7840, EIP-7892)'),
    {},
  ),
  gasLimit: z._default(withDescription(whole(2_000_000, 1_000_000_000), 'gas limit of a block of L1'), L1_GAS_LIMIT),
  finality: z._default(
    withDescription(choice('devnet', 'real'), 'devnet: finalized two blocks behind the head; real: epochs of 32 slots'),
    'devnet',
  ),
  onExit,
  alloc: orNull(withDescription(text, 'a file with accounts of your own: the alloc of a genesis file')),
  beacon: z.prefault(
    shorthand(beacon, (client) => ({ client })),
    {},
  ),
});

const RATE = 'a number above 0, at most 1000';
const GENESIS = 'now, or a Unix timestamp';

/** The chains of a spec that names none. */
export const CHAINS = { main: {} };

/**
 * The shape of a spec. Its input is the document that a user writes, in which everything may be left out.
 * Its output has every default that depends on no other key.
 */
export const specSchema = z.strictObject({
  version: z._default(withDescription(z.literal(1, '1'), 'of the format of specs'), 1),
  base: key(text, 'another spec that this one is laid over: a name in devnets, or a path'),
  name: key(name, 'of the devnet; default: from the folder of the spec'),
  seed: z._default(
    withDescription(whole(0, Number.MAX_SAFE_INTEGER), 'node keys, peer ids and JWT secrets derive from it'),
    0,
  ),
  ports: z._default(
    withDescription(
      choice('preferred', 'fixed', 'auto'),
      'preferred: the next free one if it is taken; fixed: an error; auto: any',
    ),
    'preferred',
  ),
  runtime: key(
    choice(...RUNTIMES),
    'in what every process runs that names no runtime, binary or image of its own; docker: in containers',
  ),
  place,
  time: z.prefault(
    withDescription(
      z.strictObject({
        genesis: z._default(
          withDescription(
            z.union([choice('now'), z.int().check(z.gte(1, GENESIS))], GENESIS),
            'Unix seconds of both geneses',
          ),
          'now',
        ),
        clock: z._default(
          withDescription(
            choice('wall', 'instant', 'stepped'),
            'wall: blocks at their times; instant: also as soon as a transaction waits, chain time runs ahead then; ' +
              'stepped: time moves only by `devnet warp` and the steps of a scenario, and ' +
              'equal inputs give equal blocks',
          ),
          'wall',
        ),
        rate: z._default(
          withDescription(
            z.number(RATE).check(z.gt(0, RATE), z.lte(1000, RATE)),
            'seconds of the network in a second of the machine, with `clock: wall`',
          ),
          1,
        ),
      }),
      "the network's clock",
    ),
    {},
  ),
  faults: z._default(
    withDescription(
      z.boolean('true, false'),
      'true: processes call each other through proxies of the supervisor, for `devnet fault`',
    ),
    false,
  ),
  logs: z.prefault(
    withDescription(
      z.strictObject({
        size: z.prefault(
          withDescription(bytes, 'at this size the log of a process is rotated; one older part is kept'),
          '50 MB',
        ),
      }),
      'logs of the processes',
    ),
    {},
  ),
  after: orEmpty(
    withDescription(
      z.array(command),
      'commands that run one after another when all nodes agree, with the variables of `devnet env`: each a line for ' +
        '/bin/sh, or a list of a program and its arguments. The network is ready when all have ended with code 0',
    ),
    [],
  ),
  dashboard: z.prefault(
    withDescription(
      z.union([
        z.codec(z.boolean('true, false'), z.custom<{ port?: number } | null>(), {
          decode: (isOn) => (isOn ? {} : null),
          encode: (value) => (value === null ? false : value.port === undefined ? true : z.NEVER),
        }),
        z.strictObject({ port: key(whole(1, 65535), 'its port; default: 9500 or the next free one') }),
      ]),
      'true, or { port: 9500 }: the dashboard is served as long as the network runs, from when it is ready',
    ),
    false,
  ),
  abi: key(text, 'a folder with artifacts of Foundry or Hardhat, with which `tx`, `block` and the dashboard decode'),
  otel: key(
    z.strictObject({
      endpoint: withDescription(url('http|https'), 'a collector; spans go to its path /v1/traces'),
    }),
    'where a trace of each block is sent by OTLP/HTTP; default: where the variables of OpenTelemetry say',
  ),
  l1: z.prefault(
    shorthand(l1, (client) => ({ client })),
    {},
  ),
  chains: z.prefault(withDescription(z.record(name, orNothing(chain, {})), 'rollups by name'), CHAINS),
});

/** A spec whose defaults are filled in, as far as they depend on no other key. */
export type GivenSpec = z.output<typeof specSchema>;

/** The schema for editors, JSON Schema draft 7. */
export function specJsonSchema(): object {
  return { ...jsonSchemaOf(specSchema), title: 'rollup-devnet specification' };
}
