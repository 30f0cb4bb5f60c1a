import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadScenario, loadSteps } from '../../../../src/orchestrator/scenario/read/load.ts';
import { EXIT } from '../../../../src/system/failure.ts';
import { homeWithCache } from '../../../cache-of-tests.ts';
import { twoChains } from './two-chains.ts';

const folder = mkdtempSync(join(tmpdir(), 'load-scenario-'));
const home = join(folder, 'home');
homeWithCache(home);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const io = { stdout: () => undefined, stderr: () => undefined, env: { DEVNET_HOME: home }, cwd: folder, isTty: false };

const write = (name: string, text: string) => {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
};
/** Loads a scenario of this text from a file. */
async function load(text: string, name = 'a.yaml', over: readonly string[] = []) {
  write(name, text);
  return await loadScenario(io, `./${name}`, over);
}
const STEPS = 'steps: [{ wait: ready }]';

describe('the name of a scenario', () => {
  it.each([
    ['My Run.yaml', 'my-run'],
    ['_a__b_.yml', 'a-b'],
    ['x.yaml.yaml', 'x-yaml'],
    ['x.yaml.txt', 'x-yaml-txt'],
    [`${'n'.repeat(45)}.yaml`, 'n'.repeat(39)],
    ['___.yaml', 'scenario'],
  ])('is that of its file, %s: %s', (name, expected) => {
    expect(loadSteps(folder, { name, text: STEPS }, twoChains()).scenario.name).toBe(expected);
  });

  it('is the one that it gives, and that of its devnet', async () => {
    const { scenario, spec, input } = await load(`name: own\n${STEPS}`);
    expect([scenario.name, spec.spec.name]).toEqual(['own', 'own']);
    expect(input.set[0]).toBe('name="own"');
  });
});

describe('the devnet of a scenario', () => {
  it('has its name and seed, and a stepped clock with a genesis time of its own', async () => {
    const { spec, input, source } = await load(`seed: 5\n${STEPS}`);
    expect(input.set).toEqual(['name="a"', 'seed=5', 'time.clock=stepped', 'time.genesis=1790000000']);
    expect(spec.spec).toMatchObject({ name: 'a', seed: 5, time: { clock: 'stepped', genesis: 1_790_000_000 } });
    expect(source).toMatchObject({ name: './a.yaml', text: `seed: 5\n${STEPS}` });
  });

  it('has no seed of the scenario when that has none', async () => {
    const { input } = await load(STEPS);
    expect(input.set).toEqual(['name="a"', 'time.clock=stepped', 'time.genesis=1790000000']);
    expect(input).toMatchObject({ manual: [], spec: { name: 'a' } });
  });

  it.each(['clock: wall', 'clock: stepped', 'rate: 2'])('has the clock that the scenario gives: %s', async (time) => {
    const { input } = await load(`devnet: { time: { ${time} } }\n${STEPS}`);
    expect(input.set).toEqual(['name="a"']);
  });

  it('has the genesis that the scenario gives', async () => {
    const { input, spec } = await load(`devnet: { time: { genesis: 1780000000 } }\n${STEPS}`);
    expect(input.set).toEqual(['name="a"', 'time.clock=stepped']);
    expect(spec.spec.time).toMatchObject({ clock: 'stepped', genesis: 1_780_000_000 });
  });

  it('has links if a step, or one within another, puts faults on them', async () => {
    const cut = '{ fault: { target: l1, cut: true } }';
    for (const steps of [`{ wait: ready }, ${cut}`, `{ repeat: { times: 2, steps: [{ wait: ready }, ${cut}] } }`]) {
      const { input, spec } = await load(`steps: [${steps}]`);
      expect(input.set).toContain('faults=true');
      expect(spec.spec.faults).toBe(true);
    }
  });

  it('has the values of the command line over those of the scenario', async () => {
    const { spec, input } = await load(`seed: 5\n${STEPS}`, 'a.yaml', ['name="other"', 'seed=6']);
    expect(spec.spec).toMatchObject({ name: 'other', seed: 6 });
    expect(input.set.slice(0, 4)).toEqual(['name="a"', 'seed=5', 'name="other"', 'seed=6']);
  });

  it('is refused with a value of the command line that cannot be read', async () => {
    await expect(load(STEPS, 'a.yaml', ['clock'])).rejects.toMatchObject({ code: 'scenario', exit: EXIT.usage });
  });

  it('is one by name, or of a path from the folder of the scenario', async () => {
    write('deep/net.yaml', 'chains: { far: {} }');
    const { spec, input } = await load(`devnet: ./net.yaml\n${STEPS}`, 'deep/b.yaml');
    expect(Object.keys(spec.spec.chains)).toEqual(['far']);
    expect(input.spec).toMatchObject({ source: { text: 'chains: { far: {} }' } });
    const sample = await load(`devnet: two-chains\n${STEPS}`);
    expect(Object.keys(sample.spec.spec.chains)).toHaveLength(2);
  });

  it('lacks the programs that the machine lacks, which is no fault of the scenario', async () => {
    const absent = join(folder, 'absent');
    const real = [`l1={ client: geth, binary: ${absent}, beacon: { client: lodestar, binary: ${absent} } }`];
    await expect(load(STEPS, 'a.yaml', real)).rejects.toMatchObject({ code: 'spec', exit: EXIT.lacking });
  });

  it('is named with what is allowed when there is none', async () => {
    await expect(load(`devnet: defalt\n${STEPS}`)).rejects.toMatchObject({
      ...{ code: 'scenario', exit: EXIT.usage },
      data: {
        problems: [
          {
            ...{ code: 'value', path: 'devnet', message: 'unknown spec "defalt"', nearest: 'default' },
            allowed: expect.stringMatching(/^the path of a spec, or one of alt-da, .*default/),
          },
        ],
      },
    });
  });
});

describe('the word for a scenario', () => {
  it('is that of a sample, unless it is the path of a file', async () => {
    expect((await loadScenario(io, 'activations')).source.name).toContain('activations');
    write('activations', `name: mine\n${STEPS}`);
    expect((await loadScenario(io, 'activations')).scenario.name).toBe('activations');
    expect((await loadScenario(io, './activations')).scenario.name).toBe('mine');
    write('plain', `name: plain-one\n${STEPS}`);
    expect((await loadScenario(io, 'plain')).scenario.name).toBe('plain-one');
  });

  it('that names none is refused with the samples', async () => {
    await expect(loadScenario(io, 'nothing')).rejects.toMatchObject({
      ...{ code: 'scenario', exit: EXIT.usage, message: 'unknown scenario "nothing"' },
      hint: expect.stringMatching(/^give the path of a file, or one of activations, /),
    });
  });
});

describe('an archive of a run', () => {
  const archive = (name: string, files: Readonly<Record<string, string>>) => {
    for (const [file, text] of Object.entries(files)) write(`run/${file}`, text);
    execFileSync('tar', ['-czf', join(folder, name), '-C', folder, 'run']);
    rmSync(join(folder, 'run'), { recursive: true });
  };

  it.each(['a.tgz', 'a.tar.gz'])('%s has the scenario and the spec that ran, with its clock', async (name) => {
    archive(name, {
      'scenario.yaml': `name: packed\ndevnet: two-chains\n${STEPS}`,
      'spec.yaml': 'name: first\ntime: { genesis: 1780000000, clock: stepped }\nchains: { far: {} }',
    });
    const { spec, input, scenario } = await loadScenario(io, name);
    expect(scenario.name).toBe('packed');
    expect(spec.spec).toMatchObject({ name: 'packed', time: { clock: 'stepped', genesis: 1_780_000_000 } });
    expect(Object.keys(spec.spec.chains)).toEqual(['far']);
    expect(input).toMatchObject({ manual: [], spec: { name: 'packed', source: { name: `${name}:spec.yaml` } } });
  });

  it('is none whose name goes on after that of an archive', async () => {
    expect((await load(STEPS, 'a.tgz.yaml')).scenario.name).toBe('a-tgz');
  });

  it('without a spec has the devnet of its scenario', async () => {
    archive('b.tgz', { 'scenario.yaml': `devnet: two-chains\n${STEPS}` });
    const { spec } = await loadScenario(io, 'b.tgz');
    expect(Object.keys(spec.spec.chains)).toHaveLength(2);
  });
});

describe('steps for a network that runs', () => {
  it('are read from a file or a text, and checked against its plan', () => {
    write('steps.yaml', STEPS);
    expect(loadSteps(folder, './steps.yaml', twoChains())).toMatchObject({
      ...{ scenario: { name: 'steps', steps: [{ text: 'wait ready' }] }, source: { text: STEPS } },
    });
    const bad = { name: 'x.yaml', text: 'steps: [{ wait: block:5 @d }, { load: { chain: x } }]' };
    expect(() => loadSteps(folder, bad, twoChains())).toThrow(
      expect.objectContaining({
        ...{ code: 'scenario', exit: EXIT.usage, message: expect.stringMatching(/^there are 2 problems\n\n/) },
      }),
    );
    const one = { name: 'x.yaml', text: 'steps: [{ wait: block:5 @d }]' };
    expect(() => loadSteps(folder, one, twoChains())).toThrow(/^there is a problem\n\n.*step 1, wait/);
    expect(() => loadSteps(folder, { name: 'x.yaml', text: 'steps: 5' }, twoChains())).toThrow(/^there is a problem/);
    expect(() => loadSteps(folder, 'nothing', twoChains())).toThrow('unknown scenario "nothing"');
  });
});

describe('the clock of a scenario', () => {
  it.each([
    [[], 'stepped'],
    [['l1.blockTime=4'], 'stepped'],
    [['time.clock=wall'], 'wall'],
    [['time.rate=2'], 'wall'],
  ])('with the values %j of the command line is %s', async (over, clock) => {
    expect((await load('steps: [{ wait: block:1 }]', 'mine.yaml', over)).spec.spec.time.clock).toBe(clock);
  });

  it('on geth with lodestar is that of the machine', async () => {
    const program = process.execPath;
    const real = [`l1={ client: geth, binary: ${program}, beacon: { client: lodestar, binary: ${program} } }`];
    const { spec } = await load('steps: [{ wait: block:1 }, { warp: +4s }]', 'mine.yaml', real);
    expect(spec.spec.time.clock).toBe('wall');
  });
});
