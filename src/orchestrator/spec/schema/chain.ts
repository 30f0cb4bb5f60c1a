import * as z from 'zod/mini';
import { DEFAULT_BASE, type ForkName } from '../../../protocol/forks/index.ts';
import { GENESIS_DEFAULTS, WITHDRAWAL_SYSTEMS } from '../../../protocol/genesis/inputs.ts';
import { amount, forkTime, orEmpty, orNothing, orNull } from './codecs.ts';
import { BASES, FORK_NAMES } from './fork-names.ts';
import { place } from './place.ts';
import { CLIENTS, cl, el, onExit, processOf, shorthand } from './process.ts';
import { choice, key, name, text, whole, withDescription } from './words.ts';

/** One optional key for each of the forks. */
function perFork<T extends z.ZodMiniType>(names: readonly ForkName[], type: T) {
  const keys = names.map((fork) => [fork, z.exactOptional(type)]);
  return Object.fromEntries(keys) as { [fork in ForkName]: z.ZodMiniExactOptional<T> };
}

const times = perFork(FORK_NAMES.slice(1), forkTime);

/** Activation times by fork. */
export const forkTimes = z.strictObject(times);

const node = z.strictObject({
  role: z._default(
    withDescription(choice('sequencer', 'verifier'), 'a chain has one sequencer, or three and more with a conductor'),
    'verifier',
  ),
  count: key(whole(1, 50), 'that many nodes, NAME-1 to NAME-n'),
  place,
  el: z.prefault(
    shorthand(el, (client) => (client === undefined ? {} : { client })),
    {},
  ),
  cl: z.prefault(
    shorthand(cl, (client) => ({ client })),
    {},
  ),
  override: z._default(withDescription(forkTimes, 'activation times of this node only'), {}),
  peers: key(
    z.array(z.string('names of nodes of this chain')),
    'nodes kept connected; default: all others that do not leave it out of their own list; []: none',
  ),
});

const TOPOLOGY = 'mesh, ring, star, or random:N with N from 2 to 50';
const topology = z.string(TOPOLOGY).check(z.regex(/^(mesh|ring|star|random:([2-9]|[1-4]\d|50))$/, TOPOLOGY));

/** The nodes of a chain that names none. */
export const NODES = { sequencer: { role: 'sequencer' }, verifier: {} } as const;

const ADDRESS = 'an address of 20 bytes in quotes: "0x" and 40 hex digits';
const address = z
  .templateLiteral(['0x', z.string()], ADDRESS)
  .check(z.regex(/^0x[0-9a-fA-F]{40}$/, ADDRESS), z.toLowerCase());

const accounts = z.strictObject({
  count: z._default(withDescription(whole(0, 1000), 'that many accounts of the mnemonic are funded'), 10),
  balance: z.prefault(amount, '10000 ether'),
  mnemonic: orNull(
    withDescription(
      text.check(z.overwrite((words) => words.trim().replace(/\s+/g, ' '))),
      'a mnemonic of your own, of 12 to 24 English words',
    ),
  ),
  addresses: orEmpty(withDescription(z.array(address), 'accounts that are funded besides'), []),
});

const forks = z.codec(
  z.strictObject({
    base: z._default(withDescription(choice(...BASES), 'active at genesis up to and including this one'), DEFAULT_BASE),
    ...times,
  }),
  z.custom<{ base: ForkName; times: { [fork in ForkName]?: z.output<typeof forkTime> } }>(),
  { decode: ({ base, ...rest }) => ({ base, times: rest }), encode: ({ base, times: rest }) => ({ base, ...rest }) },
);

/** L1 blocks; more than the margin before the window's end at which the batchers' templates post a channel. */
const SHORTEST_WINDOW = 5;

const systemConfig = z.strictObject({
  baseFeeScalar: z._default(
    withDescription(whole(0, 2 ** 32 - 1), 'share of the base fee of L1 in the L1 fee, in millionths'),
    1368,
  ),
  blobBaseFeeScalar: z._default(
    withDescription(whole(0, 2 ** 32 - 1), 'share of the blob base fee of L1 in the L1 fee, in millionths'),
    810_949,
  ),
  operatorFeeScalar: z._default(
    withDescription(whole(0, 2 ** 32 - 1), 'part of the operator fee that grows with gas'),
    0,
  ),
  operatorFeeConstant: z._default(
    withDescription(whole(0, Number.MAX_SAFE_INTEGER), 'fixed part of the operator fee, in wei'),
    0,
  ),
  minBaseFee: z._default(
    withDescription(whole(0, Number.MAX_SAFE_INTEGER, ' wei'), 'lowest base fee of L2, in wei'),
    0,
  ),
  daFootprintGasScalar: z._default(
    withDescription(
      whole(0, 65535),
      'gas of the DA footprint for each compressed byte; 0: the default of the protocol',
    ),
    0,
  ),
});

const batcher = z.strictObject(
  processOf(CLIENTS.batcher, {
    da: z._default(withDescription(choice('calldata', 'blobs'), 'where batches are posted on L1'), 'calldata'),
  }),
);

/** `false` or null: the chain goes without. */
const none = z.codec(z.literal(false), z.null(), { decode: () => null, encode: () => false as const });

/** The process before a set of sequencers, or that of each of them. */
export const conductor = z.strictObject(processOf(CLIENTS.conductor, {}));

/** `true`: the process of this package, with its defaults. */
const yes = z.codec(z.literal(true), conductor, { decode: () => ({}), encode: () => true as const });

const SECRET = 'a private key of 32 bytes in quotes: "0x" and 64 hex digits';
const challenger = z.strictObject(
  processOf(CLIENTS.challenger, {
    key: key(
      z.templateLiteral(['0x', z.string()], SECRET).check(z.regex(/^0x[0-9a-fA-F]{64}$/, SECRET), z.toLowerCase()),
      "private key of its account; default: that of the chain's role `challenger`",
    ),
  }),
);

const signer = z.strictObject(processOf(CLIENTS.signer, {}));

const altDa = z.strictObject(
  processOf(CLIENTS.altDa, {
    challengeWindow: z._default(
      withDescription(
        whole(1, 1_000_000),
        'L1 blocks after which missing data ends derivation; finality is as many L1 blocks late',
      ),
      16,
    ),
  }),
);

const seconds = whole(1, 10_000_000, ' seconds');
const proposer = z.strictObject(
  processOf(CLIENTS.proposer, {
    system: z._default(
      withDescription(
        choice(...WITHDRAWAL_SYSTEMS),
        'output-oracle: outputs in one contract; dispute-games: a permissioned game for each',
      ),
      'output-oracle',
    ),
    interval: key(
      seconds,
      'seconds between two proposals; an output oracle counts whole L2 blocks, rounded up; ' +
        'default: 4, and at least `l1.blockTime`',
    ),
    finalization: z._default(withDescription(seconds, 'between the proof of a withdrawal and its finalization'), 4),
    gameClock: key(
      seconds,
      'between the creation of a game and its resolution; default: 1, with a challenger six blocks of L1',
    ),
    gameFinality: z._default(withDescription(seconds, 'between the resolution of a game and finalization'), 1),
    challenger: z._default(
      withDescription(
        z.union([shorthand(challenger, (client) => ({ client })), none]),
        'answers false outputs in dispute games; false: no challenger',
      ),
      null,
    ),
  }),
);

export const chain = z.strictObject({
  from: orNull(
    withDescription(
      z.strictObject({
        genesis: withDescription(text, 'path of genesis.json'),
        rollup: withDescription(text, 'path of rollup.json'),
      }),
      "an existing chain's files",
    ),
  ),
  chainId: key(whole(1, Number.MAX_SAFE_INTEGER), 'the chain id; default: 901 and up'),
  blockTime: z._default(withDescription(whole(1, 3600, ' seconds'), 'seconds between two blocks of L2'), 2),
  gasLimit: z._default(withDescription(whole(2_000_000, 1_000_000_000), 'gas limit of a block'), 30_000_000),
  sequenceWindow: z._default(
    withDescription(whole(SHORTEST_WINDOW, 1_000_000), 'L1 blocks within which the batch of an L2 block must be on L1'),
    GENESIS_DEFAULTS.rollup.seqWindowSize,
  ),
  systemConfig: z.prefault(withDescription(systemConfig, 'fee parameters of the system config at genesis'), {}),
  forks: z.prefault(withDescription(forks, 'when forks activate'), {}),
  accounts: z.prefault(withDescription(accounts, 'accounts that are funded on L1 and L2'), {}),
  alloc: orNull(withDescription(text, 'a file with accounts of your own: the alloc of a genesis file')),
  bundles: orEmpty(
    withDescription(
      z.strictObject(perFork(FORK_NAMES, withDescription(text, 'path of the bundle file'))),
      'upgrade bundle files used instead of the package’s',
    ),
    {},
  ),
  batcher: z.prefault(z.union([shorthand(batcher, (client) => ({ client })), none]), {}),
  proposer: z.prefault(z.union([shorthand(proposer, (client) => ({ client })), none]), {}),
  signer: z._default(
    withDescription(
      z.union([shorthand(signer, (client) => ({ client })), none]),
      'a process that signs the blocks of the sequencer in place of its key; false: none',
    ),
    null,
  ),
  altDa: z._default(
    withDescription(
      z.union([shorthand(altDa, (client) => ({ client })), none]),
      'a DA server that holds the batches; L1 has generic commitments to them; false: none',
    ),
    null,
  ),
  conductor: z._default(
    withDescription(
      z.union([shorthand(conductor, (client) => ({ client })), none, yes]),
      'a process that keeps one of three or more sequencers sequencing; true: of this package; false: none',
    ),
    null,
  ),
  onExit,
  place,
  peers: key(
    topology,
    'which nodes keep each other connected, of those that name no peers: mesh, all; ring, two each; star, all with ' +
      'the sequencer; random:4, at least four each, by the seed; default: mesh up to 8 nodes, random:4 above',
  ),
  nodes: z.prefault(
    withDescription(
      z.record(name, orNothing(node, {})),
      'nodes by name, exactly one of them a sequencer, or three and more with a conductor',
    ),
    NODES,
  ),
});
