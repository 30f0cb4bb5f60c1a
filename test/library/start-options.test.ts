import { describe, expect, it } from 'vitest';
import { evidenceText } from '../../src/library/evidence.ts';
import { setsOf, specOf } from '../../src/library/start.ts';

describe('the options of a start', () => {
  it('are changes of the spec, of which the last one counts', () => {
    expect(setsOf({})).toEqual([]);
    expect(setsOf({ set: ['l1.blockTime=3', 'ports=fixed'], ports: 'auto', clock: 'stepped' })).toEqual([
      'l1.blockTime=3',
      'ports=fixed',
      'ports=auto',
      'time.clock=stepped',
    ]);
    expect(setsOf({ clock: 'wall' })).toEqual(['time.clock=wall']);
    expect(setsOf({ ports: 'preferred' })).toEqual(['ports=preferred']);
  });

  it('name a spec by its path, or hold the document as its file would', () => {
    expect(specOf('my.yaml', 'net')).toBe('my.yaml');
    expect(specOf(undefined, 'net')).toBeUndefined();
    expect(specOf({ version: 1, chains: { main: {} } }, 'net')).toEqual({
      source: { name: 'spec', text: '{\n  "version": 1,\n  "chains": {\n    "main": {}\n  }\n}' },
      name: 'net',
    });
  });
});

describe('the evidence of a failed test', () => {
  it('is the test, its reverts, then heads and logs, without empty parts', () => {
    const evidence = { test: 'it pays', reverts: '0x1 reverted', state: 'net is ready', logs: 'a line' };
    expect(evidenceText(evidence)).toBe('failed: it pays\n0x1 reverted\nnet is ready\na line');
    expect(evidenceText({ ...evidence, reverts: '', logs: '' })).toBe('failed: it pays\nnet is ready');
  });
});
