import type { EquivalentMutant } from './equivalent.ts';

/** Equivalent mutants of the folders `divergence`, `inspect`, `logs` and `wait` of `src/orchestrator`. */
export const OBSERVE: Readonly<Record<string, readonly EquivalentMutant[]>> = {
  'src/orchestrator/divergence/check/agreed-file.ts': [
    {
      line: "return schema.parse(JSON.parse(readText(fileOf(paths)) ?? '{}'));",
      change: '\'{}\' ⇒ ""',
      reason: 'a text that is not JSON counts as empty, too',
    },
  ],
  'src/orchestrator/divergence/explain/boundary.ts': [
    {
      line: 'const blocks = times.flatMap((time) => (time === null ? [] : [blockAt(time, genesisTime, chain.blockTime)]));',
      change: 'time === null ⇒ false',
      reason: 'a fork that never activates has a first block of 0 or before, which is no boundary',
    },
  ],
  'src/orchestrator/divergence/explain/differences.ts': [
    {
      line: 'for (let at = 0; at < Math.max(minority.length, majority.length); at++) {',
      change: 'at < Math.max(minority.length, majority.length) ⇒ at <= Math.max(minority.length, majority.length)',
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
      line: "return firstOf(a?.transactions ?? [], b?.transactions ?? [], 'debug_getRawBlock of both sides');",
      change: 'a?.transactions ⇒ a.transactions',
      reason: 'there are always two sides',
    },
    {
      line: "return firstOf(a?.transactions ?? [], b?.transactions ?? [], 'debug_getRawBlock of both sides');",
      change: 'b?.transactions ⇒ b.transactions',
      reason: 'there are always two sides',
    },
    {
      line: "return firstOf(a?.transactions ?? [], b?.transactions ?? [], 'debug_getRawBlock of both sides');",
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'there are always two sides',
    },
    {
      line: 'const [a = [], b = []] = await Promise.all(',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'there are always two sides',
    },
    {
      line: "if (transaction.kind !== 'same' && !(transaction.kind === 'differs' && transaction.index > index))",
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
      line: "const [a = [], b = []] = traces.map((list) => list.map((each) => jsonField(jsonField(each, 'result'), 'post')));",
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'there are always two sides',
    },
    {
      line: "? { ...account, codeHash: 'none', storageHash: isEmpty(account['storageHash']) ? 'none' : account['storageHash'] }",
      change: '\'none\' ⇒ ""',
      reason: 'no hash is either word',
    },
    {
      line: 'for (let index = 0; index < Math.max(ours.length, other.length); index++) {',
      change: 'index < Math.max(ours.length, other.length) ⇒ index <= Math.max(ours.length, other.length)',
      reason: 'behind the ends of both lists nothing differs',
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
      line: 'if (divergences.length === 0) this.#agreed = Math.max(this.#agreed, newestCommon(nodes));',
      change: 'divergences.length === 0 ⇒ true',
      reason: 'a block that all nodes have in common is one below every difference',
    },
    {
      line: '...nodes.map(({ window }) => window.head?.number ?? 0),',
      change: 'window.head?.number ⇒ window.head.number',
      reason: 'a node that answers has a head',
    },
    {
      line: 'if (height <= (window.head?.number ?? 0) && !window.hashes.has(height)) this.#ask(name, height);',
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
      line: '!divergence.nodes.includes(name) && window.hashes.has(block) && window.hashes.get(block) !== other,',
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
    {
      line: 'return [...new Set(Array.from({ length: parts - 1 }, (_, at) => low + Math.ceil((gap * (at + 1)) / parts)))].filter(',
      change:
        '[...new Set(Array.from({ length: parts - 1 }, (_, at) => low + Math.ceil((gap * (at + 1)) / parts)))].filter( (height) => height < high, ) ⇒ [...new Set(Array.from({ length: parts - 1 }, (_, at) => low + Math.ceil(gap * (at + 1) / parts)))]',
      reason: 'the last height is below the upper bound',
    },
    {
      line: 'return [...new Set(Array.from({ length: parts - 1 }, (_, at) => low + Math.ceil((gap * (at + 1)) / parts)))].filter(',
      change: 'parts - 1 ⇒ parts + 1',
      reason: 'heights from the upper bound on are left out',
    },
    {
      line: '(height) => height < high,',
      change: 'height < high ⇒ true',
      reason: 'the last height is below the upper bound',
    },
    {
      line: '(height) => height < high,',
      change: 'height < high ⇒ height <= high',
      reason: 'the last height is below the upper bound',
    },
  ],
  'src/orchestrator/divergence/watch/head-events.ts': [
    {
      line: 'if (time === null || before === undefined || before.time >= time || head.time < time) return [];',
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
  'src/orchestrator/inspect/abi/abi.ts': [
    { line: "const [topic = ''] = topics;", change: '\'\' ⇒ "Stryker was here!"', reason: 'no event has this topic' },
    {
      line: 'if (first === undefined) return [];',
      change: 'first === undefined ⇒ false',
      reason: 'a signature that was found has as many topics, at least one',
    },
    {
      line: 'if (signature === undefined) return null;',
      change: 'signature === undefined ⇒ false',
      reason: 'an empty signature cannot be parsed, so that the answer is null, too',
    },
    {
      line: "name: signature.slice(kind.length).replace(/\\(.*$/, ''),",
      change: '/\\(.*$/ ⇒ /\\(.*/',
      reason: 'a signature is one line',
    },
    {
      line: "return parseAbi([signature ?? '']);",
      change: '\'\' ⇒ "Stryker was here!"',
      reason: 'without a signature nothing is parsed',
    },
    {
      line: 'const [, name] = /\\s([A-Za-z_$][\\w$]*)$/.exec(word.trim()) ?? [];',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'the name stands behind the first place',
    },
    {
      line: "if (typeof value !== 'object' || value === null) return value;",
      change: 'value === null ⇒ false',
      reason: 'no decoded value is null',
    },
  ],
  'src/orchestrator/inspect/abi/artifact.ts': [
    {
      line: 'if (artifact === code) return true;',
      change: 'artifact === code ⇒ false',
      reason: 'equal bytes are equal one by one',
    },
    {
      line: 'for (let at = 0; at < code.length; at += 2) {',
      change: 'at < code.length ⇒ at <= code.length',
      reason: 'behind the ends of both codes nothing differs',
    },
    {
      line: "if (byte !== '00' && byte !== code.slice(at, at + 2) && /^[\\da-f]{2}$/.test(byte)) return false;",
      change: '/^[\\da-f]{2}$/ ⇒ /[\\da-f]{2}$/',
      reason: 'a byte has at most two letters',
    },
    {
      line: "if (byte !== '00' && byte !== code.slice(at, at + 2) && /^[\\da-f]{2}$/.test(byte)) return false;",
      change: '/^[\\da-f]{2}$/ ⇒ /^[\\da-f]{2}/',
      reason: 'a byte has at most two letters',
    },
  ],
  'src/orchestrator/inspect/abi/signature.ts': [
    {
      line: 'const [, , , bits] = WORD.exec(word) ?? [];',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'the bits stand behind the first place',
    },
    {
      line: 'const WORD = /^(address|bool|string|function|bytes([1-9]|[12]\\d|3[0-2])?|u?int(\\d{1,3})?)$/;',
      change:
        '/^(address|bool|string|function|bytes([1-9]|[12]\\d|3[0-2])?|u?int(\\d{1,3})?)$/ ⇒ /^(address|bool|string|function|bytes([1-9]|[12]\\d|3[0-2])?|u?int(\\d{1,3}))$/',
      reason: 'int and uint without bits are refused, too',
    },
  ],
  'src/orchestrator/inspect/inbox.ts': [
    {
      line: "const to = fields.has('to') ? fields.data('to', 20) : '';",
      change: '\'\' ⇒ "Stryker was here!"',
      reason: 'neither is an address',
    },
    {
      line: 'if (chain === undefined || node === undefined) return null;',
      change: 'chain === undefined ⇒ false',
      reason: 'without a chain there is no node',
    },
    {
      line: 'const inputs = [];',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'an input without a transaction is left out',
    },
    {
      line: '} else if (open.size === 0 && batches.length > 0) break;',
      change: 'batches.length > 0 ⇒ true',
      reason: 'channels are all complete without a batch when the transaction has no frames alone',
    },
    {
      line: '} else if (open.size === 0 && batches.length > 0) break;',
      change: 'batches.length > 0 ⇒ batches.length >= 0',
      reason: 'channels are all complete without a batch when the transaction has no frames alone',
    },
  ],
  'src/orchestrator/inspect/inspector.ts': [
    {
      line: 'const { nameOf } = plan.abi === undefined ? { nameOf: undefined } : abis();',
      change: '{ nameOf: undefined } ⇒ {}',
      reason: 'a name that is absent is undefined',
    },
  ],
  'src/orchestrator/logs/log-parts.ts': [
    {
      line: 'while (position < to) {',
      change: 'position < to ⇒ position <= to',
      reason: 'an empty read has no whole line, which ends the loop, too',
    },
    {
      line: 'let first = -1;',
      change: '-1 ⇒ +1',
      reason: 'nothing is at infinity, and a log that is read out ends the merge',
    },
    {
      line: 'if (done === true || (first >= 0 && value.at >= earliest)) continue;',
      change: 'first >= 0 ⇒ true',
      reason: 'nothing is at infinity, the time before the first choice',
    },
    {
      line: 'if (log === undefined || item === undefined || item.done === true)',
      change: 'log === undefined ⇒ false',
      reason: 'the line of a log that is not there is not there either',
    },
    {
      line: 'if (log === undefined || item === undefined || item.done === true)',
      change: 'item === undefined ⇒ false',
      reason: 'both are undefined together',
    },
    {
      line: 'if (log === undefined || item === undefined || item.done === true)',
      change: 'item.done === true ⇒ false',
      reason: 'a log that is read out is not chosen',
    },
    {
      line: 'return next.map(({ done, value }) => (done === true ? value : 0));',
      change: 'done === true ⇒ true',
      reason: 'the merge ends when each log is read out',
    },
    {
      line: 'if (log === undefined || item === undefined || item.done === true)',
      change: 'log === undefined || item === undefined ⇒ log === undefined && item === undefined',
      reason: 'both are undefined together',
    },
  ],
  'src/orchestrator/logs/logs.ts': [
    {
      line: 'const filter = pattern === undefined ? {} : { pattern };',
      change: 'pattern === undefined ⇒ false',
      reason: 'a pattern that is undefined filters nothing',
    },
    {
      line: 'if ((since !== undefined && at < since) || pattern?.test(text) === false) return;',
      change: 'since !== undefined ⇒ true',
      reason: 'no number is below undefined',
    },
    {
      line: 'logs.map(({ path }, log) => [path, { offset: offsets[log] ?? 0, generation: ranges[log]?.generation }]),',
      change: 'ranges[log]?.generation ⇒ ranges[log].generation',
      reason: 'there is a range for each log',
    },
    {
      line: 'const isWhole = !readRange(older, 0, DROPPED.length).toString().startsWith(DROPPED);',
      change:
        'readRange(older, 0, DROPPED.length).toString().startsWith(DROPPED) ⇒ readRange(older, 0, DROPPED.length).toString().endsWith(DROPPED)',
      reason: 'the text has at most as many letters as the words',
    },
  ],
  'src/orchestrator/logs/task-logs.ts': [
    {
      line: 'const filter = { ...(grep && { pattern: grep }), ...(since === undefined ? {} : { since }) };',
      change: 'since === undefined ⇒ false',
      reason: 'a moment that is undefined filters nothing',
    },
    {
      line: 'return tasks.filter(({ id, log }) => byPath.get(log)?.task === id).map(({ id, log }) => ({ task: id, path: log }));',
      change: 'byPath.get(log)?.task ⇒ byPath.get(log).task',
      reason: 'the log of each task is in the map',
    },
  ],
};
