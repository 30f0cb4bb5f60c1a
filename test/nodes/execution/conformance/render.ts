import { FLAVOURS } from '../../../../src/nodes/execution/flavours/index.ts';
import type { FlavourName } from '../../../../src/nodes/execution/flavours/interface/flavour.ts';
import type { Limits } from '../../../../src/nodes/execution/flavours/interface/limits.ts';
import { AUTHENTICATED, NAMESPACES } from '../../../../src/nodes/execution/methods/namespaces.ts';
import { rpc } from '../../../../src/nodes/execution/methods/rpc.ts';
import { RPC_OPTIONS } from '../../../../src/nodes/execution/options/rpc-options.ts';
import { KNOWN_DIFFERENCES } from '../support/alike.ts';
import { ABSENT, ABSENT_OPTIONS } from './absent.ts';
import { CALLS } from './calls.ts';
import type { Shape } from './observe.ts';
import { ANSWERS_BESIDE_OP_GETH, TRACES_BESIDE_OP_GETH } from './op-geth.ts';
import { BESIDE_OP_RETH } from './op-reth.ts';

/** Shapes of each flavour's results, by method. */
export type Seen = Readonly<Record<string, Readonly<Partial<Record<FlavourName, Shape>>>>>;

const HEAD = `# What the execution client answers

\`test/nodes/execution/methods/conformance.test.ts\` generates this page. It calls every method below on a node of
each flavour and fails where the page differs from the answers. To write it again:
\`vitest run --config test/vitest.config.ts methods/conformance -u\`.
A field under "only go" or "only rust" is absent in the other flavour's answer.

Kinds: \`word\` is 32 bytes, \`quantity\` hex without leading zeros, \`data\` any bytes, \`text\` anything else.
\`[]\` is an element, \`{…}\` any key of that kind.
`;

/** Renders the page docs/conformance-execution.md. */
export function render(shapes: Seen): string {
  const parts = [HEAD];
  for (const [namespace, table] of Object.entries({ ...NAMESPACES, rpc })) {
    parts.push(`## \`${namespace}\`\n\n${namespaceNote(namespace)}`);
    for (const [name, { summary }] of Object.entries(table)) parts.push(methodPart(name, summary, shapes[name] ?? {}));
  }
  parts.push(`## \`engine\`

On the authenticated port only, beside \`eth\`, \`net\` and \`web3\`.
Both flavours answer the same (\`engine/engine.test.ts\`).

${Object.keys(AUTHENTICATED)
  .filter((name) => name.startsWith('engine_'))
  .map((name) => `- \`${name}\``)
  .join('\n')}
`);
  const absent = ABSENT.map(({ methods, reason }) => `| ${code(methods)} | ${reason} |`).join('\n');
  parts.push(`## Not offered\n\n| methods | why |\n|---|---|\n${absent}\n`);
  parts.push(tracesPart(), optionsPart());
  return parts.join('\n');
}

function namespaceNote(namespace: string): string {
  const by = (name: FlavourName) => FLAVOURS[name].namespaces.includes(namespace);
  if (namespace === 'rpc') return 'With every namespace of the go flavour; the rust flavour answers -32601.\n';
  if (by('go') && by('rust')) return 'Both flavours.\n';
  return by('rust') ? 'The rust flavour only.\n' : 'The go flavour only.\n';
}

function methodPart(name: string, summary: string, shapes: Seen[string]): string {
  const { go, rust } = shapes;
  const both = [...(go ?? rust ?? new Map())].filter(
    ([path]) => go === undefined || rust === undefined || rust.has(path),
  );
  const only = (mine: Shape | undefined, other: Shape | undefined) =>
    other === undefined ? [] : [...(mine ?? [])].filter(([path]) => !other.has(path));
  const tests = ['methods/conformance.test.ts', ...(CALLS[name]?.tests ?? [])];
  const lines = [
    `### \`${name}\`\n`,
    `${summary}.\nShown by ${tests.map((file) => `\`${file}\``).join(', ')}.\n`,
    ...item(`result: ${fields(both)}`),
    ...[
      ['go', only(go, rust)],
      ['rust', only(rust, go)],
    ].flatMap(([flavour, paths]) => (paths!.length === 0 ? [] : item(`only ${flavour}: ${fields(paths as never)}`))),
  ];
  return `${lines.join('\n')}\n`;
}

const COLUMNS = 118;

/** Returns the lines of a list item, broken at commas. */
function item(text: string): string[] {
  const lines: string[] = [];
  for (const part of text.split(/(?<=, )/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length <= COLUMNS) lines[lines.length - 1] = last + part;
    else lines.push(part);
  }
  return lines.map((line, at) => `${at === 0 ? '- ' : '  '}${line.trimEnd()}`);
}

function fields(paths: readonly (readonly [string, ReadonlySet<string>])[]): string {
  const inner = paths.filter(([path]) => path !== '').sort(([left], [right]) => (left < right ? -1 : 1));
  const whole = paths.find(([path]) => path === '');
  const kinds = (set: ReadonlySet<string>) => [...set].sort().join(' or ');
  const texts = inner.map(([path, set]) => `\`${path}\` ${kinds(set)}`);
  return [...(whole === undefined ? [] : [kinds(whole[1])]), ...texts].join(', ');
}

function code(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

/** The limit that each option sets. The default is the flavour's. */
const SETS: Readonly<Record<keyof typeof RPC_OPTIONS, keyof Limits>> = {
  rpcGasCap: 'gasCap',
  rpcTimeout: 'callTime',
  rpcBatch: 'batch',
  rpcBatchResponse: 'batchResponse',
  rpcRangeLimit: 'logRange',
  rpcLogQueryLimit: 'logAddresses',
  rpcMaxRequest: 'body',
  rpcMaxResponse: 'response',
  rpcMaxSubscriptions: 'subscriptions',
  rpcMaxConnections: 'connections',
  rpcMaxBlocks: 'logRange',
  rpcMaxLogs: 'logs',
  rpcMaxSimulated: 'simulatedBlocks',
  rpcSimulateTime: 'simulatedBlockTime',
  rpcMaxTraced: 'traceRange',
};

function tracesPart(): string {
  const rows = Object.entries(KNOWN_DIFFERENCES).map(([what, why]) => `| ${what} | ${why} |`);
  return `## Traces beside anvil's

\`tracing/tracing-anvil.test.ts\` (and \`make soak-traces\`, 1,000 transactions) compares every tracer with anvil's.
It leaves out:

| what | why |
|---|---|
${rows.join('\n')}

## Traces beside op-geth's

Compared outside the tests with op-geth of October 2024 on one chain: every tracer and option on each kind of
transaction, blocks, calls with overrides, ranges, raw encodings and witnesses. The differences:

| what | op-geth | here, and why |
|---|---|---|
${besideOpGeth(TRACES_BESIDE_OP_GETH)}

## Other methods beside op-geth's

Compared in the same way: blocks, state, calls with and without overrides, logs, filters, subscriptions, simulations,
conditions and the pool, with valid, odd and invalid arguments:

| what | op-geth | here, and why |
|---|---|---|
${besideOpGeth(ANSWERS_BESIDE_OP_GETH)}

## The rust flavour beside op-reth

Compared outside the tests with op-reth 1.10.2 (February 2026) on one chain, each building every other block: all hashes
are equal. 3,000 requests of 120 methods differ in:

| what | op-reth | here, and why |
|---|---|---|
${BESIDE_OP_RETH.map(({ what, opReth, reason }) => `| ${what} | ${opReth} | ${reason} |`).join('\n')}
`;
}

const besideOpGeth = (differences: typeof TRACES_BESIDE_OP_GETH): string =>
  differences.map(({ what, opGeth, reason }) => `| ${what} | ${opGeth} | ${reason} |`).join('\n');

function optionsPart(): string {
  const value = (flavour: FlavourName, limit: keyof Limits) => {
    const limitValue = FLAVOURS[flavour].limits[limit];
    return limitValue === Number.POSITIVE_INFINITY ? 'no limit' : String(limitValue);
  };
  const rows = (Object.keys(SETS) as (keyof typeof RPC_OPTIONS)[]).map((key) => {
    const { name, help } = RPC_OPTIONS[key];
    return `| \`--${name}\` | ${help} | ${value('go', SETS[key])} | ${value('rust', SETS[key])} |`;
  });
  const absent = ABSENT_OPTIONS.map(({ options, reason }) => `| ${code(options)} | ${reason} |`);
  return `## Limits

Defaults in bytes, milliseconds, gas or counts. Sizes in MB where the option says so.

| option | what | go | rust |
|---|---|---|---|
${rows.join('\n')}

## Options of the Go client that are not offered

| options | why |
|---|---|
${absent.join('\n')}
`;
}
