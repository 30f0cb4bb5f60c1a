import { BLOCKS } from './equivalent-blocks.ts';
import { DERIVATION } from './equivalent-derivation.ts';
import { DIVERGENCE } from './equivalent-divergence.ts';
import { EXECUTION } from './equivalent-execution.ts';
import { GENESIS } from './equivalent-genesis.ts';
import { GOSSIP } from './equivalent-gossip.ts';
import { HEALTH } from './equivalent-health.ts';
import { INSPECT } from './equivalent-inspect.ts';
import { PROTOCOL } from './equivalent-protocol.ts';
import { RPC } from './equivalent-rpc.ts';
import { SCENARIO } from './equivalent-scenario.ts';
import { SPEC } from './equivalent-spec.ts';

/** A mutant that no test can fail. A line's text finds it, so that it survives lines that move. */
export interface EquivalentMutant {
  /** The source line on which the mutant starts, without indentation. */
  readonly line: string;
  /** The changed part of the source and what it becomes, spaces folded: `a > b ⇒ a >= b`. */
  readonly change: string;
  /** Why the program behaves the same. */
  readonly reason: string;
}

/** Equivalent mutants by file. `make mutants` does not count them, and reports those that it no longer meets. */
export const EQUIVALENT_MUTANTS: Readonly<Record<string, readonly EquivalentMutant[]>> = {
  'src/nodes/batcher/backlog.ts': [
    {
      line: '#blocks: { readonly number: number; readonly bytes: number }[] = [];',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'a block without a number is dropped with the first change',
    },
    {
      line: 'if (blocks.length === this.#blocks.length) return;',
      change: 'blocks.length === this.#blocks.length ⇒ false',
      reason: 'the sum of the same blocks is the same',
    },
  ],
  'src/nodes/batcher/channel-builder.ts': [
    {
      line:
        'const isFull = () => out.isFull() || ' +
        '(assumedRatio !== undefined && out.inputBytes() * assumedRatio >= targetSize);',
      change: 'assumedRatio !== undefined ⇒ true',
      reason: 'NaN is not above the target',
    },
  ],
  'src/nodes/batcher/compress.ts': [
    {
      line: 'const quality = Number(/\\d+$/.exec(choice)?.[0] ?? 10);',
      change: '/\\d+$/ ⇒ /\\d+/',
      reason: 'a name has digits at its end alone',
    },
  ],
  'src/nodes/batcher/driver.ts': [
    { line: '#saidBehind = false;', change: 'false ⇒ true', reason: 'the first poll is behind none, and sets it' },
    ...['this.#cursor?.number ⇒ this.#cursor.number', '-1 ⇒ +1'].map((change) => ({
      line: 'this.#backlog.dropAbove(this.#cursor?.number ?? -1);',
      change,
      reason: 'an open channel has a block before it',
    })),
    {
      line: 'while (this.#cursor !== undefined && this.#cursor.number < status.unsafe_l2.number) {',
      change: 'this.#cursor !== undefined ⇒ true',
      reason: 'the check before it has set it, and a new start leaves the loop',
    },
    {
      line: 'const of = channel.frames[0]?.channelId;',
      change: 'channel.frames[0]?.channelId ⇒ channel.frames[0].channelId',
      reason: 'a channel has a frame',
    },
    { line: 'if (of !== undefined) {', change: 'of !== undefined ⇒ true', reason: 'a channel has a frame' },
    {
      line: 'return openChannel(rollup, config, channelId(head, first, this.#opened++), this.#postedAt);',
      change: 'this.#opened++ ⇒ this.#opened--',
      reason: 'either gives each channel another number',
    },
    { line: '#waits = false;', change: 'false ⇒ true', reason: 'no submission ends before the first poll sets it' },
  ],
  'src/nodes/batcher/service.ts': [
    {
      line: "batchType: batchType === '1' ? 'span' : 'singular',",
      change: `'span' ⇒ ""`,
      reason: 'a channel asks for "singular" alone',
    },
    {
      line: "kind: altDaService ? 'generic' : 'keccak',",
      change: `'generic' ⇒ ""`,
      reason: 'the client asks for "keccak" alone',
    },
  ],
  'src/nodes/batcher/throttle/throttle-controller.ts': [
    {
      line: "if (controller === 'step' || load >= upperThreshold) return 1;",
      change: 'load >= upperThreshold ⇒ load > upperThreshold',
      reason: 'the functions are 1 at the threshold',
    },
  ],
  'src/orchestrator/plan/chain/portal.ts': [
    {
      line: 'return BigInt(ether) > MAX_PORTAL_WEI ? String(MAX_PORTAL_WEI) : ether;',
      change: 'BigInt(ether) > MAX_PORTAL_WEI ⇒ BigInt(ether) >= MAX_PORTAL_WEI',
      reason: 'at the limit both are the limit in decimal',
    },
    ...[
      "const balance = BigInt(alloc[view.contracts.l1['OptimismPortal'] ?? '0x']?.balance ?? 0);",
      "const balance = BigInt(alloc[contracts['OptimismPortal'] ?? '0x']?.balance ?? " +
        'genesis.withdrawals.portalBalance);',
    ].map((line) => ({
      line,
      change: `'0x' ⇒ ""`,
      reason: 'the keys of an alloc are addresses: it has neither',
    })),
  ],
  ...BLOCKS,
  ...EXECUTION,
  ...RPC,
  ...GOSSIP,
  ...DERIVATION,
  ...GENESIS,
  ...PROTOCOL,
  ...DIVERGENCE,
  ...HEALTH,
  ...INSPECT,
  ...SCENARIO,
  ...SPEC,
  'src/orchestrator/spec/checks/forks.ts': [
    {
      line: 'const atGenesis = (time: number | undefined) => time !== undefined && time <= clock.genesisTime;',
      change: 'time !== undefined ⇒ true',
      reason: 'undefined is not at most a number',
    },
  ],
  'src/protocol/larger.ts': [
    {
      line: 'if (left > right) return left;',
      change: 'left > right ⇒ left >= right',
      reason: 'both are equal there',
    },
  ],
  'src/protocol/rules/base-fee/eip1559.ts': [
    {
      line: 'if (target === 0n || gasMetered === target) return fee;',
      change: 'gasMetered === target ⇒ false',
      reason: 'at the target the decrease is 0',
    },
    {
      line: 'if (gasMetered > target) {',
      change: 'gasMetered > target ⇒ gasMetered >= target',
      reason: 'the line before returns at the target',
    },
    {
      line: 'return fee + (increase > 1n ? increase : 1n);',
      change: 'increase > 1n ⇒ increase >= 1n',
      reason: 'an increase of 1 is 1 either way',
    },
    {
      line: 'return fee > decrease ? fee - decrease : 0n;',
      change: 'fee > decrease ⇒ true',
      reason: 'a decrease is at most the fee divided by the denominator, which is at least 1',
    },
    {
      line: 'return fee > decrease ? fee - decrease : 0n;',
      change: 'fee > decrease ⇒ fee >= decrease',
      reason: 'the difference of equal values is 0',
    },
  ],
  'src/protocol/rules/base-fee/minimum.ts': [
    {
      line: 'return fee < least ? least : fee;',
      change: 'fee < least ⇒ fee <= least',
      reason: 'both are equal there',
    },
  ],
  'src/protocol/rules/l1-blob-fee/blob-base-fee.ts': [
    {
      line: 'if (sum >= most) return MAX_FEE;',
      change: 'sum >= most ⇒ sum > most',
      reason: 'a sum of MAX_FEE fractions is the fee MAX_FEE when it is divided',
    },
  ],
  'src/protocol/rules/l1-blob-fee/chain-config.ts': [
    {
      line: "const ORDER = ['cancun', 'prague', 'osaka', 'bpo1', 'bpo2', 'bpo3', 'bpo4', 'bpo5', 'amsterdam'];",
      change: `'cancun' ⇒ ""`,
      reason: 'a fork that is not in the list is older than all others, as cancun is',
    },
  ],
  'src/rpc/server/batch-size.ts': [
    {
      line: "if (!text.trimStart().startsWith('[') || text.length <= limit) return false;",
      change: 'text.length <= limit ⇒ false',
      reason: 'a text of that length has fewer commas than the limit',
    },
    {
      line: "if (!text.trimStart().startsWith('[') || text.length <= limit) return false;",
      change: 'text.length <= limit ⇒ text.length < limit',
      reason: 'a text of that length has fewer commas than the limit',
    },
    {
      line: 'for (let at = 0; at < text.length; at++) {',
      change: 'at < text.length ⇒ at <= text.length',
      reason: 'no character stands behind the end',
    },
    {
      line: "for (let at = text.indexOf('\"', start + 1); at >= 0; at = text.indexOf('\"', at + 1)) {",
      change: 'at >= 0 ⇒ at > 0',
      reason: 'the search begins behind the first character',
    },
  ],
  'src/rpc/server/dispatch.ts': [
    {
      line: "const missing = issue?.path.length === 0 && issue.code === 'too_small';",
      change: 'issue?.path ⇒ issue.path',
      reason: 'an error of the library has an issue',
    },
    {
      line: "const words = (issue?.message ?? 'malformed')",
      change: 'issue?.message ⇒ issue.message',
      reason: 'an error of the library has an issue',
    },
    {
      line: "const words = (issue?.message ?? 'malformed')",
      change: '\'malformed\' ⇒ ""',
      reason: 'an error of the library has an issue',
    },
    {
      line:
        'error: { code: error.code, message: error.message, ' +
        '...(error.data === undefined ? {} : { data: error.data }) },',
      change: 'error.data === undefined ⇒ false',
      reason: 'JSON leaves out a field without a value',
    },
  ],
  'src/rpc/server/host-origin.ts': [
    {
      line: 'const name = /^(\\[[0-9a-f:.]+\\]|[^:[\\]]*)(:\\d{0,5})?$/i.exec(host)?.[1]?.toLowerCase();',
      change:
        '/^(\\[[0-9a-f:.]+\\]|[^:[\\]]*)(:\\d{0,5})?$/i.exec(host)?.[1]?.toLowerCase ⇒ ' +
        '/^(\\[[0-9a-f:.]+\\]|[^:[\\]]*)(:\\d{0,5})?$/i.exec(host)?.[1].toLowerCase',
      reason: 'a match has its first group, which may be empty',
    },
    {
      line: "const { referer = '' } = headers;",
      change: '\'\' ⇒ "Stryker was here!"',
      reason: 'neither is a URL',
    },
    {
      line: 'const EXTENSIONS = /^(chrome|moz|safari-web)-extension:$/;',
      change: '/^(chrome|moz|safari-web)-extension:$/ ⇒ /^(chrome|moz|safari-web)-extension:/',
      reason: 'the protocol of a URL ends with its only colon',
    },
    {
      line: 'return EXTENSIONS.test(protocol) || (/^https?:$/.test(protocol) && isLoopback(hostname));',
      change: '/^https?:$/ ⇒ /^https?:/',
      reason: 'the protocol of a URL ends with its only colon',
    },
    {
      line: "const [before = '', after, ...more] = pattern.split('*');",
      change: '\'\' ⇒ "Stryker was here!"',
      reason: 'split returns at least one part',
    },
  ],
  'src/rpc/server/ready-route.ts': [
    {
      line: "response.end(method === 'HEAD' ? undefined : text);",
      change: "method === 'HEAD' ⇒ false",
      reason: 'Node sends no body of an answer to HEAD',
    },
    {
      line: "response.end(method === 'HEAD' ? undefined : text);",
      change: '\'HEAD\' ⇒ ""',
      reason: 'Node sends no body of an answer to HEAD',
    },
  ],
};
