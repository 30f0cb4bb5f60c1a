import { spawnSync } from 'node:child_process';
import { parse } from 'yaml';
import { FORKS } from '../../src/protocol/forks/index.ts';
import { template } from '../orchestrator/package.ts';

/** Forks in their order. */
const NAMES: readonly string[] = FORKS.filter(({ optional }) => !optional).map(({ name }) => name);

/** The oldest fork of each client with which it agrees: see docs/real-clients.md. */
const FROM = {
  'op-geth': 'bedrock',
  'op-reth': 'canyon',
  'op-node': 'bedrock',
  'kona-node': 'granite',
  'op-batcher': 'bedrock',
  'op-proposer': 'bedrock',
  'op-challenger': 'bedrock',
} as const;

type Name = keyof typeof FROM;

/** A client that the environment names. */
export interface InteropClient {
  readonly name: string;
  /** How a spec launches it, without options that this version does not know. */
  readonly launch: object;
  /** Forks that it knows. */
  readonly forks: readonly string[];
  /** Whether it works on an L1 of prague. */
  readonly knowsPrague: boolean;
}

/**
 * Options by whose absence an older version is known that does not work on an L1 of prague.
 * Such an op-node cannot read its headers, and such an op-challenger asks for blocks by wrong hashes. Such an
 * op-batcher gives its transactions too little gas (EIP-7623), and sends each of them again after 30 s.
 */
const SINCE_PRAGUE: Partial<Record<Name, string>> = {
  'op-node': 'rollup.l1-chain-config',
  'op-batcher': 'throttle.unsafe-da-bytes-lower-threshold',
  'op-challenger': 'cannon-l1-genesis',
};

/**
 * Returns a client that the environment names, or why it is not tested.
 * `DEVNET_INTEROP_OP_GETH` is the path of a binary, or `image:NAME`.
 * `DEVNET_INTEROP_OP_GETH_LAUNCH` has more keys of its launch in a spec, as YAML.
 */
export function clientFromEnvironment(name: Name): InteropClient | string {
  const location = placeOf(name);
  if (typeof location === 'string') return location;
  const { variable, place, image } = location;
  const { command, booleans, args, sequencer, verifier, runs, until } = template(name);
  const words = [...command.flatMap(({ parts }) => parts.map(String)), '--help'];
  const [program = '', ...rest] =
    image === undefined
      ? [place, ...words]
      : ['docker', 'run', '--rm', '--entrypoint', runs.docker?.program ?? name, image, ...words];
  const outcome = spawnSync(program, rest, { encoding: 'utf8', timeout: 60_000 });
  const help = `${outcome.stdout}${outcome.stderr}`;
  if (outcome.error !== undefined) throw new Error(`${variable}=${place}: ${outcome.error.message}`);
  const knows = (option: string) => new RegExp(`--${option.replaceAll('.', '\\.')}(?![\\w.-])`).test(help);
  if (!knows('help')) throw new Error(`${variable}=${place} prints no help: ${help}`);
  const options = Object.keys({ ...args, ...sequencer.args, ...verifier.args });
  // Programs whose switches are bare have other names for some options, which their help does not print.
  const unknown = booleans === 'bare' ? [] : options.filter((option) => !knows(option));
  const newest = NAMES.findLast((fork) => knows(`override.${fork}`)) ?? until ?? NAMES.at(-1) ?? '';
  return {
    name,
    launch: {
      args: Object.fromEntries(unknown.map((option) => [option, null])),
      ...location.launch,
    },
    forks: between(FROM[name], newest),
    knowsPrague: !unknown.includes(SINCE_PRAGUE[name] ?? ''),
  };
}

/** Returns how the environment says that a client is launched, or why it is not tested. */
export function placeOf(name: string) {
  const variable = `DEVNET_INTEROP_${name.toUpperCase().replaceAll('-', '_')}`;
  const place = process.env[variable];
  if (!place) return `${variable} names no binary and no image`;
  const image = /^image:(.+)$/.exec(place)?.[1];
  const more: object = parse(process.env[`${variable}_LAUNCH`] ?? '{}');
  const launch = { client: name, ...(image === undefined ? { binary: place } : { image }), ...more };
  return { variable, place, image, launch };
}

function between(first: string, last: string): readonly string[] {
  return NAMES.slice(NAMES.indexOf(first), NAMES.indexOf(last) + 1);
}

/** Forks whose upgrade transactions ours and real clients have in common, so that they can activate in mid-chain. */
const CROSSED = between('bedrock', 'holocene');

/** A schedule of forks, and the block above which all of them are active. */
export interface Crossing {
  /** Its first and its last fork. */
  readonly title: string;
  readonly forks: Readonly<Record<string, unknown>>;
  readonly last: number;
}

/** Blocks between two activations. */
const STEP = 3;

/** Returns schedules that have every fork which all clients know: in mid-chain if that is possible. */
export function crossings(clients: readonly InteropClient[]): readonly Crossing[] {
  const common = NAMES.filter((fork) => clients.every(({ forks }) => forks.includes(fork)));
  const [base, ...later] = common.filter((fork) => CROSSED.includes(fork));
  const blocks = later.map((fork, index) => [fork, { block: STEP * (index + 2) }] as const);
  const others = common.filter((fork) => !CROSSED.includes(fork)).map(active);
  if (base === undefined) return others;
  const title = `${base} to ${later.at(-1) ?? base}`;
  return [{ title, forks: { base, ...Object.fromEntries(blocks) }, last: STEP * (later.length + 2) }, ...others];
}

/** Returns a schedule whose only fork is active from genesis on. */
export function active(fork: string): Crossing {
  return { title: fork, forks: { base: fork }, last: STEP };
}
