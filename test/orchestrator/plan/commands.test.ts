import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { command as init } from '../../../src/orchestrator/cli/commands/init.ts';
import { command as plan } from '../../../src/orchestrator/cli/commands/plan.ts';
import { command as schema } from '../../../src/orchestrator/cli/commands/schema.ts';
import { command as spec } from '../../../src/orchestrator/cli/commands/spec.ts';
import { command as validate } from '../../../src/orchestrator/cli/commands/validate.ts';
import type { CommandDefinition, OptionValues } from '../../../src/orchestrator/cli/input/command.ts';
import { nameOfPath } from '../../../src/orchestrator/load/find-spec.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { NAME_PATTERN } from '../../../src/orchestrator/spec/schema/words.ts';
import type { Io } from '../../../src/orchestrator/terminal/io.ts';
import { Failure } from '../../../src/system/failure.ts';

let folder: string;
let output: { stdout: string; stderr: string };
let io: Io;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'devnet-commands-'));
  output = { stdout: '', stderr: '' };
  io = {
    stdout: (text) => (output.stdout += text),
    stderr: (text) => (output.stderr += text),
    env: { DEVNET_HOME: join(folder, 'home') },
    cwd: folder,
    isTty: false,
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command and returns its exit code, that of the failure it ended with included. */
async function run(
  command: CommandDefinition,
  args: readonly (string | undefined)[],
  options: OptionValues = {},
): Promise<number> {
  const defaults = Object.fromEntries(
    command.options.flatMap(({ flags, default: value }) =>
      value === undefined ? [] : [[/--([a-z]+)/.exec(flags)![1]!, value]],
    ),
  );
  try {
    return await command.run(io, args, { ...defaults, ...options });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    output.stderr += error.message;
    return error.exit;
  }
}

describe('the spec of a command line', () => {
  it('is a path, a sample by its name, devnet.yaml here, else the default devnet', async () => {
    expect(await run(validate, ['fork-drill'])).toBe(0);
    expect(await run(validate, [undefined])).toBe(0);
    expect(output.stderr).toContain('devnets/default.yaml is valid');
    writeFileSync(join(folder, 'devnet.yaml'), 'name: here\n');
    await run(spec, [undefined], { json: true });
    expect(JSON.parse(output.stdout).name).toBe('here');
  });

  it('is refused with the existing names if no spec has its name', async () => {
    expect(await run(validate, ['fork-drll'])).toBe(2);
    expect(output.stderr).toContain('unknown spec "fork-drll"');
    for (const path of ['./missing.yaml', 'missing.yml', 'sub/missing']) {
      expect(await run(validate, [path])).toBe(2);
      expect(output.stderr).toContain(`there is no file ${path}`);
    }
  });

  it('is named after its folder if it has no name, so that two folders do not collide', () => {
    expect(nameOfPath('/home/me/My Rollup!/devnet.yaml')).toMatch(/^my-rollup-[0-9a-f]{4}$/);
    expect(nameOfPath('/a/x/devnet.yaml')).not.toBe(nameOfPath('/b/x/devnet.yaml'));
    for (const path of ['/devnet.yaml', '/---/d.yaml', `/${'x'.repeat(99)}/d.yaml`, '/日本/d.yaml'])
      expect(nameOfPath(path)).toMatch(NAME_PATTERN);
  });
});

describe('validate', () => {
  it('lists every problem and ends with 2', async () => {
    writeFileSync(join(folder, 'bad.yaml'), 'seeed: 1\nports: some\n');
    expect(await run(validate, ['bad.yaml'])).toBe(2);
    expect(output.stderr).toContain(
      'bad.yaml:1:1: seeed: unknown key "seeed"\n  1 | seeed: 1\n    | ^^^^^\n  allowed: ',
    );
    expect(output.stderr).toContain('bad.yaml:2:8: ports: found "some"');
    expect(await run(validate, ['bad.yaml'], { json: true })).toBe(2);
    expect(JSON.parse(output.stdout)).toMatchObject({
      valid: false,
      problems: [
        { line: 1, column: 1 },
        { line: 2, column: 8 },
      ],
    });
  });
});

describe('plan', () => {
  it('starts and writes nothing, and prints what `up` would launch', async () => {
    expect(await run(plan, ['default'])).toBe(0);
    expect(output.stdout).toContain('main/verifier/el (execution-go)');
    expect(() => statSync(join(folder, 'home', 'default'))).toThrow();
  });

  it('--json is one document without secrets', async () => {
    expect(await run(plan, ['default'], { json: true })).toBe(0);
    const { tasks, files } = JSON.parse(output.stdout) as Plan;
    expect(tasks).toHaveLength(8);
    expect(
      files
        .filter(({ secret }) => secret)
        .every(({ content }) => content.kind === 'text' && content.text === '[redacted]'),
    ).toBe(true);
  });

  it('--shell writes the files, secrets for their owner only, and prints the commands', async () => {
    expect(await run(plan, ['fork-drill'], { shell: true, out: 'out' })).toBe(0);
    const home = join(folder, 'out', 'fork-drill');
    expect(statSync(join(home, 'nodes/main/sequencer/jwt.hex')).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(join(home, 'genesis/main/genesis.json'), 'utf8')).config.chainId).toBe(901);
    expect(
      JSON.parse(readFileSync(join(home, 'genesis/main/bundles/isthmus.json'), 'utf8')).transactions.length,
    ).toBeGreaterThan(0);
    expect(output.stdout).toContain(`--p2p.sequencer.key.path=${home}/nodes/main/sequencer/sequencer-key.hex`);
  });

  it('--manual leaves a process to its user', async () => {
    expect(await run(plan, ['default'], { manual: ['verifier.cl'] })).toBe(0);
    expect(output.stdout).toContain('main/verifier/cl (rollup-node), started by you');
    expect(await run(plan, ['default'], { manual: ['verifer.cl'] })).toBe(2);
    expect(output.stderr).toContain('--manual verifer.cl: there is no such process');
  });

  it("a template of the user's own is a path in the spec", async () => {
    mkdirSync(join(folder, 'sub'));
    const template = readFileSync(join(import.meta.dirname, '../../../templates/batcher.yaml'), 'utf8').replace(
      'embedded: batcher',
      'process: /bin/true',
    );
    writeFileSync(join(folder, 'sub', 'mine.yaml'), template);
    writeFileSync(join(folder, 'sub', 'devnet.yaml'), 'name: own\nchains: { main: { batcher: ./mine.yaml } }\n');
    expect(await run(plan, ['sub/devnet.yaml'])).toBe(0);
    expect(output.stdout).toContain('/bin/true --');
    writeFileSync(join(folder, 'sub', 'mine.yaml'), template.replace('${l1.ws}', '${l1.wss}'));
    expect(await run(plan, ['sub/devnet.yaml'])).toBe(2);
    expect(output.stderr).toMatch(/mine\.yaml:\d+:\d+: args\.l1-eth-rpc: unknown reference/);
  });
});

describe('init', () => {
  it('writes a spec to begin with, and leaves one that is there as it is', async () => {
    expect(await run(init, ['fork-drill'])).toBe(0);
    expect(readFileSync(join(folder, 'devnet.yaml'), 'utf8')).toContain('holocene: +8s');
    const schemaOf = /^# yaml-language-server: \$schema=(\S+)$/m.exec(
      readFileSync(join(folder, 'devnet.yaml'), 'utf8'),
    );
    expect(JSON.parse(readFileSync(resolve(folder, schemaOf![1]!), 'utf8'))).toMatchObject({ type: 'object' });
    expect(await run(validate, [undefined])).toBe(0);
    expect(await run(init, [undefined])).toBe(2);
    expect(output.stderr).toContain('devnet.yaml exists already');
    expect(await run(init, ['nothing'])).toBe(2);
  });
});

it('schema prints the schema for editors', async () => {
  expect(await run(schema, [])).toBe(0);
  expect(JSON.parse(output.stdout)).toMatchObject({ type: 'object', additionalProperties: false });
});
