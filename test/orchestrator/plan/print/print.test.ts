import { describe, expect, it } from 'vitest';
import type { FileContent, Plan, PlannedFile } from '../../../../src/orchestrator/plan/plan.ts';
import { assignments, pasteable, redactSecrets } from '../../../../src/orchestrator/plan/print/pasteable.ts';
import { planText, waitsOf } from '../../../../src/orchestrator/plan/print/print.ts';
import { shellScript } from '../../../../src/orchestrator/plan/print/shell.ts';
import { fixturePlan, type TaskOptions } from '../../supervisor/fixture-plan.ts';

const SECRET = 'ab'.repeat(32);
const command = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) => ({ argv, cwd: '/s/net', env });

/** A plan of these tasks alone, with a genesis at 1000. */
function planWith(tasks: Readonly<Record<string, TaskOptions>>, more: Partial<Plan> = {}): Plan {
  const plan = fixturePlan('/s', 'net', [], tasks);
  return { ...plan, files: [], genesisTime: 1000, ...more };
}

/** The lines of a printed plan from the heading of this section on. */
function section(plan: Plan, heading: string, sizes: ReadonlyMap<string, number> = new Map()): readonly string[] {
  const lines = planText(plan, sizes).split('\n');
  return lines.slice(lines.findIndex((line) => line.startsWith(heading)) + 1);
}

describe('a printed plan', () => {
  const base = fixturePlan('/s', 'net', [{ port: 1 }]).network;
  const [chain] = base.chains;
  const chainWith = (more: Partial<typeof chain>) =>
    planWith({}, { network: { ...base, chains: [{ ...chain!, nodes: [], ...more }] } });
  const headOf = (plan: Plan) => {
    const lines = planText(plan, new Map()).split('\n');
    return lines.slice(2, lines.indexOf('')).map((line) => line.trim());
  };

  it('begins with its network and ends with a line break', () => {
    const text = planText(planWith({}), new Map());
    expect(text.split('\n').slice(0, 2)).toEqual([
      'net, in /s/net, genesis 1000 (1970-01-01T00:16:40.000Z)',
      '  L1 900: genesis 0x00, a block every 2 s',
    ]);
    expect(text.endsWith('\n')).toBe(true);
    expect(text.endsWith('\n\n')).toBe(false);
  });

  it.each<[string, NonNullable<Parameters<typeof chainWith>[0]>, readonly string[]]>([
    [
      'the newest fork that is active at genesis, and those that come later',
      { forks: { a: 0, b: 1000, c: 1001, d: null, e: 1060 } },
      ['forks up to b, c +1s, d never, e +60s'],
    ],
    ['later forks alone', { forks: { c: 1005 } }, ['forks c +5s']],
    ['the fork that a null does not hide', { forks: { a: 0, b: null } }, ['forks up to a, b never']],
    [
      'where upgrade transactions come from',
      { forks: { a: 0 }, bundles: { b: 'official', c: 'given' } },
      ['forks up to a', 'upgrade transactions: b official, c given'],
    ],
    [
      'that some are its own',
      { forks: { a: 0 }, bundles: { b: 'official', c: 'unofficial' } },
      ['forks up to a', "upgrade transactions: b official, c unofficial; unofficial: this package's own contracts"],
    ],
    [
      'the nodes with times of their own',
      {
        forks: { a: 0 },
        nodes: [
          { ...chain!.nodes[0]!, name: 'plain' },
          { ...chain!.nodes[0]!, name: 'late', overrides: { b: 1009, c: null } },
        ],
      },
      ['forks up to a', 'late alone: b +9s, c never'],
    ],
  ])('says %s', (_, more, expected) => {
    const [head = '', ...rest] = headOf(chainWith(more));
    expect(head.startsWith('main 901: genesis 0xaa, a block every 1 s, forks ')).toBe(true);
    expect([head.slice(head.indexOf('forks ')), ...rest]).toEqual(expected);
  });

  it('lists files with their mode, kind and size', () => {
    const inputs = {} as never;
    const file = (path: string, content: FileContent, mode = 0o644): PlannedFile => ({
      path,
      mode,
      secret: false,
      content,
    });
    const files = [
      file('/a', { kind: 'text', text: '' }, 0o600),
      file('/b', { kind: 'l1-genesis', inputs }, 0o7),
      file('/c', { kind: 'l2-genesis', inputs }),
      file('/d', { kind: 'upgrade-bundle', fork: 'jovian' }),
      file('/e', { kind: 'without', of: { kind: 'l2-genesis', inputs }, keys: ['x', 'y.z'] }),
      file('/f', { kind: 'without', of: { kind: 'file', path: '/own.json' }, keys: ['x'] }),
    ];
    const sizes = new Map(files.map(({ path }, at) => [path, at]));
    const lines = section(planWith({}, { files }), 'files', sizes);
    expect(lines.slice(0, 7)).toEqual([
      '  0600 /a  0 bytes',
      '  0007 /b  l1 genesis, 1 bytes',
      '  0644 /c  l2 genesis, 2 bytes',
      '  0644 /d  upgrade bundle of jovian, 3 bytes',
      '  0644 /e  l2 genesis without x, y.z, 4 bytes',
      '  0644 /f  /own.json without x, 5 bytes',
      '',
    ]);
  });

  it('says of a task how it starts, its ports, files and commands', () => {
    const plan = planWith({
      plain: { argv: ['run', 'a b'] },
      full: {
        launch: 'manual',
        container: { image: 'i:1', own: false, entry: true },
        needs: [
          { task: 'plain', until: 'ready' },
          { task: 'l1', until: 'spawned' },
        ],
        ports: [
          { name: 'rpc', host: '127.0.0.1', port: 5, transport: 'tcp' },
          { name: 'p2p', host: '127.0.0.1', port: 6, transport: 'udp' },
        ],
        reads: ['/s/net/genesis/x.json', '/s/net-other/y'],
        prepare: [command(['init', '$x'])],
        argv: ['run'],
        env: { A: 'b c', D: 'e' },
        resume: { file: '/s/net/state', command: command(['load'], { A: '1' }), reads: [] },
      },
      far: { launch: 'external', argv: [], resume: { file: '/else/state', command: command(['x']), reads: [] } },
    });
    expect(section(plan, 'processes')).toEqual([
      '',
      '  plain (fixture)',
      "    run 'a b'",
      '',
      '  full (fixture), started by you, in a container of i:1, after plain is ready, after l1 is spawned, ' +
        'rpc 5, p2p 6/udp',
      '    reads: genesis/x.json, /s/net-other/y',
      "    prepare: init '$x'",
      "    A='b c' D=e run",
      '    where state exists: A=1 load',
      '',
      '  far (fixture), running already',
      '    where /else/state exists: x',
      '',
    ]);
  });

  it('ends with the dashboard and the notices', () => {
    const dashboard = { url: 'http://h:1/', port: 1, command: command(['node', 'd']), log: '/s/d.log' };
    expect(section(planWith({}, { dashboard, notices: ['one', 'two'] }), 'processes')).toEqual([
      '',
      '  dashboard, when the network is ready, http://h:1/',
      '    node d',
      '',
      'note: one',
      'note: two',
      '',
    ]);
    expect(section(planWith({}), 'processes')).toEqual(['']);
  });
});

it.each([
  [{}, []],
  [{ late: true as const }, ['when the network is ready']],
  [{ late: true as const, launch: 'manual' as const }, []],
  [{ late: true as const, launch: 'external' as const }, ['when the network is ready']],
  [{ launch: 'manual' as const, needs: [{ task: 'a', until: 'ready' as const }] }, ['after a is ready']],
  [
    { late: true as const, needs: [{ task: 'a', until: 'spawned' as const }] },
    ['when the network is ready', 'after a is spawned'],
  ],
])('a task with %j waits for %j', (options, waits) => {
  expect(waitsOf(planWith({ a: options }).tasks[0]!)).toEqual(waits);
});

describe('a command for a shell', () => {
  const files = new Map([[SECRET, '/keys/a b.hex']]);

  it('has its folder, its environment and its words, quoted where they need it', () => {
    expect(pasteable({ argv: ['run', 'a b'], cwd: '/s x', env: { A: '1', B: '$c' } }, [])).toBe(
      "cd '/s x' && A=1 B='$c' run 'a b'",
    );
  });

  it('reads a secret of its environment from its file, and redacts it elsewhere', () => {
    const secret = { argv: ['run', `--key=${SECRET}`], cwd: '/s', env: { KEY: SECRET, OTHER: `x${SECRET}` } };
    expect(pasteable(secret, [SECRET], files)).toBe(
      `cd /s && KEY="$(cat '/keys/a b.hex')" OTHER='x[redacted]' run '--key=[redacted]'`,
    );
    expect(assignments(secret, files)).toEqual([`KEY="$(cat '/keys/a b.hex')"`, `OTHER=x${SECRET}`]);
    expect(assignments(secret, new Map())).toEqual([`KEY=${SECRET}`, `OTHER=x${SECRET}`]);
    expect(redactSecrets(`a ${SECRET}`, [SECRET])).toBe('a [redacted]');
  });
});

it('a script starts each task in its folder, in the order of the plan', () => {
  const secret: PlannedFile = {
    path: '/k.hex',
    mode: 0o600,
    secret: true,
    content: { kind: 'text', text: `${SECRET}\n` },
  };
  const plan = planWith(
    {
      a: { argv: ['run', 'a b'], prepare: [command(['init']), command(['init', '2'], { KEY: SECRET })] },
      b: { argv: ['run'], env: { KEY: SECRET }, needs: [{ task: 'a', until: 'ready' }] },
      m: { argv: ['run'], launch: 'manual', needs: [{ task: 'a', until: 'ready' }], prepare: [command(['init'])] },
      far: { launch: 'external' },
      box: { container: { image: 'i:1', own: true, entry: false } },
    },
    { files: [secret] },
  );
  const lines = shellScript(plan).split('\n');
  expect(lines.slice(0, 5)).toEqual([
    '#!/usr/bin/env bash',
    '# The devnet net, started by hand. Its files lie in /s/net.',
    'set -euo pipefail',
    `trap 'trap - EXIT; kill $(jobs -p) 2>/dev/null; wait' EXIT`,
    `trap 'exit 130' INT TERM`,
  ]);
  const folder = 'mkdir -p /s/net && cd /s/net &&';
  expect(lines.slice(5)).toEqual([
    '',
    '# a: fixture',
    `(${folder} init)`,
    `(${folder} env KEY="$(cat /k.hex)" init 2)`,
    `(${folder} exec run 'a b') >/s/net/nodes/a.log 2>&1 &`,
    '',
    '# b: fixture',
    '# after a is ready',
    `(${folder} exec env KEY="$(cat /k.hex)" run) >/s/net/nodes/b.log 2>&1 &`,
    '',
    '# m: fixture, which you start yourself',
    `(${folder} init)`,
    '# after a is ready',
    `# (${folder} exec run) >/s/net/nodes/m.log 2>&1 &`,
    '',
    '# far: fixture, running already',
    '',
    '# box: fixture, in a container of i:1, which devnet up starts',
    '',
    'wait',
    '',
  ]);
});
