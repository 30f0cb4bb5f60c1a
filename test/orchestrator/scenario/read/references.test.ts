import { describe, expect, it } from 'vitest';
import { referencesIn, resolveReferences } from '../../../../src/orchestrator/scenario/read/references.ts';
import { EXIT } from '../../../../src/system/failure.ts';

describe('references', () => {
  const values = new Map([['tx', { hash: '0xab', block: 7, logs: [{ topic: 'x' }] }]]);

  it('keep the type of a value that stands alone, and become text within text', () => {
    const value = { a: '${tx.block}', b: ['at ${tx.block} ${tx.hash}'], c: '${tx.logs.0.topic}', d: '${HOME}', e: 1 };
    expect(resolveReferences(value, values)).toEqual({ a: 7, b: ['at 7 0xab'], c: 'x', d: '${HOME}', e: 1 });
  });

  it('fail if a step did not find the value', () => {
    expect(() => resolveReferences('${tx.address}', values)).toThrow('${tx.address} has no value');
    expect(() => resolveReferences('${none.hash}', values)).toThrow('${none.hash} has no value');
  });

  it('keep a value by a name of any length and at any depth', () => {
    for (const name of ['t', 'transaction']) {
      const named = new Map([[name, { block: 7, logs: [{ topic: 'x' }] }]]);
      expect(resolveReferences(`\${${name}.block}`, named)).toBe(7);
      expect(resolveReferences(`\${${name}.logs.0}`, named)).toEqual({ topic: 'x' });
    }
  });

  it('take the JSON of a value that is no text', () => {
    expect(resolveReferences('logs ${tx.logs}!', values)).toBe('logs [{"topic":"x"}]!');
    expect(resolveReferences('${tx.hash}${tx.block}', values)).toBe('0xab7');
    expect(resolveReferences(null, values)).toBeNull();
  });

  it('fail with the exit code of a failed scenario, also within text and for null', () => {
    const failure = { code: 'reference', exit: EXIT.failed };
    for (const text of ['${tx.address}', 'at ${tx.address}', '${tx.logs.1.topic}', '${none.hash}'])
      expect(() => resolveReferences(text, values), text).toThrow(expect.objectContaining(failure));
    expect(() => resolveReferences('${a.b}', new Map([['a', { b: null }]]))).toThrow('the step "a" did not find one');
  });
});

describe('the references in a step', () => {
  it('are found in texts at any depth, each with its name and first key', () => {
    const value = { to: '${a.address}', args: ['${b.x.y} and ${c.z}', 7, null, { deep: '${d.e}' }], plain: '${HOME}' };
    expect(referencesIn(value, undefined)).toEqual([
      { path: ['to'], text: '${a.address}', name: 'a', key: 'address' },
      { path: ['args', 0], text: '${b.x.y}', name: 'b', key: 'x' },
      { path: ['args', 0], text: '${c.z}', name: 'c', key: 'z' },
      { path: ['args', 3, 'deep'], text: '${d.e}', name: 'd', key: 'e' },
    ]);
    expect(referencesIn('${a.b}', undefined)).toEqual([{ path: [], text: '${a.b}', name: 'a', key: 'b' }]);
  });

  it('are those outside its inner steps', () => {
    const value = { times: '${a.b}', steps: [{ wait: '${c.d}' }], more: { steps: '${e.f}' } };
    expect(referencesIn(value, ['steps']).map(({ text }) => text)).toEqual(['${a.b}', '${e.f}']);
    expect(referencesIn(value, ['more', 'steps']).map(({ text }) => text)).toEqual(['${a.b}', '${c.d}']);
    expect(referencesIn('${a.b}', [])).toEqual([]);
  });
});
