import { describe, expect, it } from 'vitest';
import { mustBeStartedHere } from '../../../src/orchestrator/change/started-here.ts';
import { tasksOf } from '../../../src/orchestrator/devnet/targets.ts';
import { planOf } from '../plan/planned.ts';

describe('a change of a node with a process that devnet does not start', () => {
  const plan = planOf(`
    chains:
      main:
        nodes:
          sequencer: { role: sequencer }
          other: { el: { external: { http: http://127.0.0.1:1, engine: http://127.0.0.1:2, jwt: /jwt } } }`);
  const change = (word: string, overrides: [string, string][], args: [string, string][] = []) =>
    mustBeStartedHere(plan, tasksOf(plan, word), { overrides, args });

  it.each(['other', 'other.el', 'other.cl'])('that sets fork times of %s is refused, with the reason', (word) => {
    expect(() => change(word, [['jovian', '+50s']])).toThrow(
      '--override: main/other/el is external: devnet does not start it and cannot change it',
    );
  });

  it('that sets arguments is refused for that process only', () => {
    expect(() => change('other.el', [], [['x', '1']])).toThrow('--arg: main/other/el is external');
    expect(() => change('other.cl', [], [['x', '1']])).not.toThrow();
    expect(() => change('sequencer', [['jovian', '+50s']])).not.toThrow();
    expect(() => change('other', [])).not.toThrow();
  });
});
