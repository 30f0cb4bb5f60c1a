import type { EquivalentMutant } from './equivalent.ts';

/** Equivalent mutants of the folders `inspect`, `logs` and `wait` of `src/orchestrator`. */
export const INSPECT: Readonly<Record<string, readonly EquivalentMutant[]>> = {
  'src/orchestrator/inspect/abi/abi-reader.ts': [
    {
      line:
        'for (const [topic, texts] of Object.entries(ours.events)) events[topic] = [...texts, ...(' +
        'events[topic] ?? [])];',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'it stands behind the forms of the package, and a text that is no signature decodes nothing',
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
      line: "if (byte !== '00' && byte !== code.slice(at, at + 2) && /^[\\da-f]{2}$/.test(byte)) retur" + 'n false;',
      change: '/^[\\da-f]{2}$/ ⇒ /[\\da-f]{2}$/',
      reason: 'a byte has at most two letters',
    },
    {
      line: "if (byte !== '00' && byte !== code.slice(at, at + 2) && /^[\\da-f]{2}$/.test(byte)) retur" + 'n false;',
      change: '/^[\\da-f]{2}$/ ⇒ /^[\\da-f]{2}/',
      reason: 'a byte has at most two letters',
    },
  ],
  'src/orchestrator/inspect/abi/read.ts': [
    {
      line: "return artifactOf(JSON.parse(readText(path) ?? ''), basename(path));",
      change: '\'\' ⇒ "Stryker was here!"',
      reason: 'neither is JSON',
    },
  ],
  'src/orchestrator/inspect/abi/signature.ts': [
    {
      line: 'const [, , , bits] = WORD.exec(word) ?? [];',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'the bits stand behind the first place',
    },
    {
      line: 'const WORD = /^(address|bool|string|function|bytes([1-9]|[12]\\d|3[0-2])?|u?int(\\d{1,3})?' + ')$/;',
      change:
        '/^(address|bool|string|function|bytes([1-9]|[12]\\d|3[0-2])?|u?int(\\d{1,3})?)$/ ⇒ /^(addr' +
        'ess|bool|string|function|bytes([1-9]|[12]\\d|3[0-2])?|u?int(\\d{1,3}))$/',
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
      line:
        'logs.map(({ path }, log) => [path, { offset: offsets[log] ?? 0, generation: ranges[log]?' + '.generation }]),',
      change: 'ranges[log]?.generation ⇒ ranges[log].generation',
      reason: 'there is a range for each log',
    },
    {
      line: 'const isWhole = !readRange(older, 0, DROPPED.length).toString().startsWith(DROPPED);',
      change:
        'readRange(older, 0, DROPPED.length).toString().startsWith(DROPPED) ⇒ readRange(older, 0,' +
        ' DROPPED.length).toString().endsWith(DROPPED)',
      reason: 'the text has at most as many letters as the words',
    },
  ],
  'src/orchestrator/logs/task-logs.ts': [
    {
      line: 'const filter = { ...(grep && { pattern: grep }), ...(since === undefined ? {} : { since ' + '}) };',
      change: 'since === undefined ⇒ false',
      reason: 'a moment that is undefined filters nothing',
    },
    {
      line:
        'return tasks.filter(({ id, log }) => byPath.get(log)?.task === id).map(({ id, log }) => ' +
        '({ task: id, path: log }));',
      change: 'byPath.get(log)?.task ⇒ byPath.get(log).task',
      reason: 'the log of each task is in the map',
    },
  ],
  'src/orchestrator/wait/wait.ts': [
    {
      line: "let description = '';",
      change: '\'\' ⇒ "Stryker was here!"',
      reason: 'each poll sets it before it is read',
    },
  ],
};
