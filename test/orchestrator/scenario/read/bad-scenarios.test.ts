import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadScenario } from '../../../../src/orchestrator/scenario/read/load.ts';
import type { Problem } from '../../../../src/orchestrator/spec/text/problem.ts';
import type { Failure } from '../../../../src/system/failure.ts';

/** A devnet of two nodes; its steps begin in line 8. */
const DEVNET = `version: 1
devnet:
  chains:
    a:
      forks: { base: granite, holocene: { block: 12 } }
      nodes: { s: { role: sequencer }, late: { override: { holocene: never } } }
steps:
`;

interface Bad {
  readonly title: string;
  readonly text: string;
  /** `line:column path: message` of every problem, in order. */
  readonly problems: readonly string[];
  readonly allowed?: string;
  readonly nearest?: string;
}

const steps = (...lines: string[]) => DEVNET + lines.map((line) => `  - ${line}\n`).join('');

const table: readonly Bad[] = [
  {
    title: 'an unknown key, beside unknown steps and a fork that does not exist',
    text: steps('wait: block:1', 'lod: { kind: transfers }').replace('granite', 'granit').replace('version', 'versio'),
    problems: [
      '1:1 versio: unknown key "versio"',
      '5:22 chains.a.forks.base: found "granit"',
      '9:5 steps.1.lod: unknown step "lod"',
    ],
    nearest: 'version',
  },
  {
    title: 'no steps',
    text: 'devnet: default\nsteps: []\n',
    problems: ['2:1 steps: found a list'],
    allowed: 'at least one step',
  },
  {
    title: 'a devnet that does not exist',
    text: 'devnet: nothing\nsteps: [{ wait: ready }]\n',
    problems: ['1:9 devnet: unknown spec "nothing"'],
  },
  {
    title: 'two steps in one item',
    text: steps('wait: block:1\n    exec: "true"'),
    problems: ['9:5 steps.0: found the keys "wait" and "exec" in one step'],
    allowed: 'a map with one key: a list item for each step',
  },
  {
    title: 'a second document',
    text: `${steps('wait: block:1')}---\nsteps: [{ bogus: 1 }]\n`,
    problems: ['9:1 : a second YAML document begins here'],
  },
  { title: 'an item that is no step', text: steps('5'), problems: ['8:5 steps.0: found no step'] },
  {
    title: 'a misspelt condition',
    text: steps('wait: blok:5'),
    problems: ['8:11 steps.0.wait: found "blok:5"'],
    allowed:
      'ready, block:N, safe:N, finalized:N or fork:NAME (did you mean block:5?), and @NODE after it for one node',
  },
  {
    title: 'faults that the network cannot have',
    text: steps(
      'fault: { partition: [[s], [lat]] }',
      'fault: { partition: [[s]] }',
      'fault: { target: s-late, cut: true, direction: egress }',
      'fault: { target: late }',
      'fault: { heal: all, target: s, cut: true }',
      'fault: { target: "s:engin", cut: true }',
    ),
    problems: [
      '8:14 steps.0.fault.partition: there is no node "lat"',
      '9:14 steps.1.fault.partition: found a list',
      '10:5 steps.2.fault: a cut has no direction: connections have two',
      '11:5 steps.3.fault: at least one of delay, jitter, loss, bandwidth, cut, drop',
      '12:5 steps.4.fault: found a map',
      '13:22 steps.5.fault.target: there is no link "engin"',
    ],
  },
  {
    title: 'a node that the devnet does not have',
    text: steps('wait: { for: block:5, node: lat }', 'expect: { diverge: { node: earl } }', 'node: { stop: lat }'),
    problems: [
      '8:33 steps.0.wait.node: the devnet has no node "lat"',
      '9:32 steps.1.expect.diverge.node: the devnet has no node "earl"',
      '10:19 steps.2.node.stop: there is no node "lat"',
    ],
    allowed: 's, late',
    nearest: 'late',
  },
  {
    title: 'a fork that never activates on a node',
    text: steps('wait: fork:holocene @s', 'wait: fork:holocene'),
    problems: ['9:11 steps.1.wait.for: holocene never activates on a/late'],
  },
  {
    title: 'a reference to no earlier step, and to a value that a step does not have',
    text: steps(
      'exec: { run: "true", as: one }',
      'exec: "echo ${one.cod} ${tow.code} ${HOME}"',
      'exec: "echo ${one.code}"',
    ),
    problems: [
      '9:11 steps.1.exec: "one", a step of kind exec, has no value "cod"',
      '9:11 steps.1.exec: ${tow.code} refers to no earlier step',
    ],
    allowed: '${one.code}, ${one.stdout}, ${one.stderr}',
    nearest: 'code',
  },
  {
    title: 'an option that changes nothing',
    text: steps('node: { stop: late, rewind: true }', 'expect: { head: { at: 5, for: 3s } }'),
    problems: [
      '8:33 steps.0.node.rewind: "rewind" changes nothing with stop',
      '9:35 steps.1.expect.head.for: "for" has no meaning without "stands"',
    ],
  },
  {
    title: 'no condition, and an unknown one',
    text: steps('expect: {}', 'expect: { agre: true, within: 5 }'),
    problems: [
      '8:5 steps.0.expect: found a map',
      '9:15 steps.1.expect.agre: unknown key "agre"',
      '9:35 steps.1.expect.within: found the number 5',
    ],
  },
  {
    title: 'a metric of a process that serves none',
    text: steps('expect: { metric: { of: late.cl, name: op_node_default_up, is: 1 } }'),
    problems: ['8:29 steps.0.expect.metric.of: late.cl serves no metrics'],
    allowed: 'a rollup node whose spec has args: { metrics.enabled: true }',
  },
  {
    title: 'a warp backwards',
    text: steps('wait: block:9', 'warp: { to: "fork:holocene" }', 'warp: { to: "block:10" }'),
    problems: ['10:17 steps.2.warp.to: block 10 is behind block 11, which an earlier step has reached'],
    allowed: 'a later block: time moves forward only',
  },
  {
    title: 'faults in steps within steps',
    text: steps('repeat: { times: 2, steps: [{ parallel: [{ wait: block:1 }, { wat: 1 }] }] }'),
    problems: ['8:67 steps.0.repeat.steps.0.parallel.1.wat: unknown step "wat"'],
    nearest: 'wait',
  },
  {
    title: 'steps nested too deep',
    text: steps(`${'parallel: [{ '.repeat(5)}wait: ready${' }]'.repeat(5)}`),
    problems: ['8:55 steps.0.parallel.0.parallel.0.parallel.0.parallel.0: steps nested deeper than 4 levels'],
  },
];

describe('a scenario is refused with every position', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'devnet-scenario-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const failureOf = async (text: string): Promise<Failure | undefined> => {
    writeFileSync(join(folder, 'bad.yaml'), text);
    const io = {
      stdout: () => undefined,
      stderr: () => undefined,
      env: { DEVNET_HOME: folder },
      cwd: folder,
      isTty: false,
    };
    return loadScenario(io, './bad.yaml').then(
      () => undefined,
      (error: Failure) => error,
    );
  };
  const problemsOf = async (text: string) => ((await failureOf(text))?.data['problems'] ?? []) as readonly Problem[];

  it('names each step with the number that the run prints, beside its place in the file', async () => {
    const inner = 'steps: [{ wait: ready }, { parallel: [{ wait: block:1 }, { wait: fork:holocene }] }]';
    const failure = await failureOf(
      steps('wait: block:1', 'lod: 1', `repeat: { times: 2, ${inner} }`, 'call: { to: "0x12", args: [1, {}] }', '5'),
    );
    expect(failure?.message).not.toContain('steps.');
    expect([...(failure?.message.matchAll(/^\S*bad.yaml:.*$/gm) ?? [])].map(([line]) => line)).toEqual([
      './bad.yaml:9:5: step 2, lod: unknown step "lod"',
      './bad.yaml:10:90: step 3.2.2, wait.for: holocene never activates on a/late',
      './bad.yaml:11:17: step 4, call.to: found "0x12"',
      './bad.yaml:12:5: step 5: found no step',
    ]);
  });

  it.each(table)('$title', async ({ text, problems, allowed, nearest }) => {
    const actual = await problemsOf(text);
    expect(actual.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`)).toEqual(problems);
    if (allowed !== undefined) expect(actual[0]?.allowed).toBe(allowed);
    if (nearest !== undefined) expect(actual[0]?.nearest).toBe(nearest);
  });

  it('of a file of 100 MB, without reading it', async () => {
    // It has no blocks on disk.
    writeFileSync(join(folder, 'large.yaml'), '');
    truncateSync(join(folder, 'large.yaml'), 100_000_000);
    const io = {
      stdout: () => undefined,
      stderr: () => undefined,
      env: { DEVNET_HOME: folder },
      cwd: folder,
      isTty: false,
    };
    await expect(loadScenario(io, './large.yaml')).rejects.toMatchObject({ exit: 2 });
  });
});
