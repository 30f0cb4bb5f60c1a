import type { EquivalentMutant } from './equivalent.ts';

/** Equivalent mutants of `src/orchestrator/divergence`. */
export const DIVERGENCE: Readonly<Record<string, readonly EquivalentMutant[]>> = {
  'src/orchestrator/divergence/check/agreed-file.ts': [
    {
      line: "return schema.parse(JSON.parse(readText(fileOf(paths)) ?? '{}'));",
      change: '\'{}\' ⇒ ""',
      reason: 'a text that is not JSON counts as empty, too',
    },
  ],
  'src/orchestrator/divergence/check/check.ts': [
    {
      line: 'const highest = Math.max(-1, ...[...heads.values()].map(({ head }) => head));',
      change: '-1 ⇒ +1',
      reason: 'nodes whose heads are all 0 then look for a refused block 1, which counts only below a higher head',
    },
    {
      line: 'return was === undefined ? now : { ...now, before: was };',
      change: 'was === undefined ⇒ false',
      reason: 'earlier heads that are undefined count as none',
    },
    {
      line: 'return refusal === undefined ? bare : { ...bare, refusal };',
      change: 'refusal === undefined ⇒ false',
      reason: 'a refusal that is undefined counts as none',
    },
    {
      line: '{ timeoutMs: 10_000 },',
      change: '{ timeoutMs: 10_000 } ⇒ {}',
      reason: 'a client has this limit without an option, too',
    },
  ],
  'src/orchestrator/divergence/explain/boundary.ts': [
    {
      line:
        'const blocks = times.flatMap((time) => (time === null ? [] : [blockAt(time, genesisTime,' +
        ' chain.blockTime)]));',
      change: 'time === null ⇒ false',
      reason: 'a fork that never activates has a first block of 0 or before, which is no boundary',
    },
  ],
  'src/orchestrator/divergence/explain/differences.ts': [
    {
      line: 'for (let at = 0; at < Math.max(minority.length, majority.length); at++) {',
      change: 'at < Math.max(minority.length, majority.length) ⇒ ' + 'at <= Math.max(minority.length, majority.length)',
      reason: 'behind the ends of both lists nothing differs',
    },
    {
      line: 'return value === null ? undefined : JSON.stringify(value)?.toLowerCase();',
      change: 'JSON.stringify(value)?.toLowerCase() ⇒ JSON.stringify(value)?.toUpperCase()',
      reason: 'texts are compared without regard to case',
    },
  ],
  'src/orchestrator/divergence/explain/execution-differences.ts': [
    {
      line: "return firstOf(a?.transactions ?? [], b?.transactions ?? [], 'debug_getRawBlock of both " + "sides');",
      change: 'a?.transactions ⇒ a.transactions',
      reason: 'there are always two sides',
    },
    {
      line: "return firstOf(a?.transactions ?? [], b?.transactions ?? [], 'debug_getRawBlock of both " + "sides');",
      change: 'b?.transactions ⇒ b.transactions',
      reason: 'there are always two sides',
    },
    {
      line: "return firstOf(a?.transactions ?? [], b?.transactions ?? [], 'debug_getRawBlock of both " + "sides');",
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'there are always two sides',
    },
    {
      line: 'const [a = [], b = []] = await Promise.all(',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'there are always two sides',
    },
    {
      line: "if (transaction.kind !== 'same' && !(transaction.kind === 'differs' && transaction.index" + ' > index))',
      change: "transaction.kind === 'differs' ⇒ true",
      reason: 'a comparison that is unknown has no index',
    },
    {
      line: "return unless('', ours, other, async () => {",
      change: '\'\' ⇒ "Stryker was here!"',
      reason: 'no header has a field of either name',
    },
    {
      line: '(a ?? []).map((step) => picked(step, STEP)),',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'there are always two sides',
    },
    {
      line: '(b ?? []).map((step) => picked(step, STEP)),',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'there are always two sides',
    },
    {
      line:
        'const [a = [], b = []] = traces.map((list) => list.map((each) => jsonField(jsonField(eac' +
        "h, 'result'), 'post')));",
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'there are always two sides',
    },
    {
      line:
        "? { ...account, codeHash: 'none', storageHash: isEmpty(account['storageHash']) ? 'none' " +
        ": account['storageHash'] }",
      change: '\'none\' ⇒ ""',
      reason: 'no hash is either word',
    },
    {
      line: 'for (let index = 0; index < Math.max(ours.length, other.length); index++) {',
      change: 'index < Math.max(ours.length, other.length) ⇒ index <= Math.max(ours.length, other.lengt' + 'h)',
      reason: 'behind the ends of both lists nothing differs',
    },
  ],
  'src/orchestrator/divergence/explain/fork-times.ts': [
    {
      line:
        "return one === undefined || 'error' in one ? [] : [{ at, schedule, attributes: " + 'attributesToJson(one) }];',
      change: 'one === undefined ⇒ false',
      reason: 'each request has attributes or the error of their derivation',
    },
    {
      line: "if (failed !== undefined && 'error' in failed) return failed;",
      change: 'failed !== undefined ⇒ true',
      reason: 'each request has attributes or the error of their derivation',
    },
    {
      line: "return outcomes.get(at) ?? { error: 'it was not executed' };",
      change: "{ error: 'it was not executed' } ⇒ {}",
      reason: 'each request that has attributes is executed and has an outcome',
    },
    {
      line: 'if (upgrade === null) return [];',
      change: 'upgrade === null ⇒ false',
      reason: 'the bundle of a fork without upgrade transactions is not used',
    },
  ],
  'src/orchestrator/divergence/explain/raw-block.ts': [
    {
      line: "await clientFor(url).call<Hex>('debug_getRawBlock', [id], { timeoutMs: RAW_BLOCK_TIMEOUT_MS }),",
      change: '{ timeoutMs: RAW_BLOCK_TIMEOUT_MS } ⇒ {}',
      reason: 'a client has this limit without an option, too',
    },
  ],
  'src/orchestrator/divergence/watch/comparison.ts': [
    {
      line: 'if (head === undefined || at.watched - moved < STUCK_AFTER_MS) return [];',
      change: 'head === undefined ⇒ false',
      reason: 'a node that answers has a head',
    },
    {
      line: 'if (other.name === name || (other.window.head?.number ?? 0) <= head.number) continue;',
      change: 'other.name === name ⇒ false',
      reason: 'the head of a node is not above itself',
    },
    {
      line: 'if (other.name === name || (other.window.head?.number ?? 0) <= head.number) continue;',
      change: 'other.window.head?.number ⇒ other.window.head.number',
      reason: 'a node that answers has a head',
    },
    {
      line: 'if (divergences.length === 0) this.#agreed = Math.max(this.#agreed, newestCommon(nodes))' + ';',
      change: 'divergences.length === 0 ⇒ true',
      reason: 'a block that all nodes have in common is one below every difference',
    },
    {
      line: '...nodes.map(({ window }) => window.head?.number ?? 0),',
      change: 'window.head?.number ⇒ window.head.number',
      reason: 'a node that answers has a head',
    },
    {
      line: 'if (height <= (window.head?.number ?? 0) && !window.hashes.has(height)) this.#ask(name, ' + 'height);',
      change: 'window.head?.number ⇒ window.head.number',
      reason: 'a node that answers has a head',
    },
    {
      line: 'if (against === undefined) return [];',
      change: 'against === undefined ⇒ false',
      reason: 'a node outside the minority has another block at that height',
    },
    {
      line: 'if (against === undefined) return [];',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'a node outside the minority has another block at that height',
    },
    {
      line: '!divergence.nodes.includes(name) && window.hashes.has(block) && window.hashes.get(block)' + ' !== other,',
      change: 'window.hashes.get(block) !== other ⇒ true',
      reason: 'all nodes with this block are in the minority',
    },
  ],
  'src/orchestrator/divergence/watch/followed-node.ts': [
    {
      line: 'if (first === undefined || others.length === 0) return -1;',
      change: 'first === undefined ⇒ false',
      reason: 'without a first node there are no others',
    },
  ],
  'src/orchestrator/divergence/watch/head-events.ts': [
    {
      line: 'if (time === null || before === undefined || before.time >= time || head.time < time) re' + 'turn [];',
      change: 'time === null ⇒ false',
      reason: 'null counts as 0, which every earlier head has reached',
    },
  ],
  'src/orchestrator/divergence/watch/refusals.ts': [
    {
      line: 'const against = keep ? holders[0]?.name : first;',
      change: 'holders[0]?.name ⇒ holders[0].name',
      reason: 'the side that is kept has holders',
    },
    {
      line: 'if (minority.length === 0 || against === undefined) return [];',
      change: 'against === undefined ⇒ false',
      reason: 'a side that is kept has holders, and the other one is the refuser',
    },
  ],
  'src/orchestrator/divergence/watch/rollup-heads.ts': [
    {
      line: 'if (other === undefined && block.number <= (window.head?.number ?? -1)) {',
      change: 'block.number <= (window.head?.number ?? -1) ⇒ block.number < (window.head?.number ?? -1)',
      reason: 'the window always knows the hash of its head',
    },
  ],
};
