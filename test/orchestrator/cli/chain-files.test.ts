import { appendFileSync, copyFileSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { Tiny } from './tiny.ts';

let tiny: Tiny;
let planned: Plan;
beforeAll(async () => {
  tiny = new Tiny();
  const out = join(tiny.folder, 'first');
  writeFileSync(join(tiny.folder, 'first.yaml'), 'name: first\ntime: { genesis: 1800000000 }\n');
  expect(await tiny.run('plan', 'first.yaml', '--shell', '--out', out)).toMatchObject({ code: 0 });
  planned = await plan('first.yaml', '--out', out);
  const [chain] = planned.network.chains;
  copyFileSync(chain!.genesisFile, join(tiny.folder, 'genesis.json'));
  copyFileSync(chain!.rollupFile, join(tiny.folder, 'rollup.json'));
});
afterAll(() => tiny[Symbol.asyncDispose]());

const plan = async (...words: readonly string[]) => {
  const { code, stdout, stderr } = await tiny.run('plan', ...words, '--json');
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Plan;
};
const json = (name: string) => JSON.parse(readFileSync(join(tiny.folder, name), 'utf8'));
const write = (name: string, value: unknown) => writeFileSync(join(tiny.folder, name), JSON.stringify(value));
const spec = (name: string, genesis = 'genesis.json', rollup = 'rollup.json') => {
  writeFileSync(
    join(tiny.folder, `${name}.yaml`),
    `name: ${name}\nchains:\n  main:\n    from: { genesis: ${genesis}, rollup: ${rollup} }\n`,
  );
  return `${name}.yaml`;
};

describe('chains.X.from', () => {
  it('accepts the files that plan wrote: the same genesis, and all files can be rendered', async () => {
    const file = spec('again');
    expect(await tiny.run('validate', file)).toMatchObject({ code: 0 });
    const again = await plan(file);
    expect(again.genesisTime).toBe(planned.genesisTime);
    expect(again.network.chains[0]!.genesisHash).toBe(planned.network.chains[0]!.genesisHash);
    expect(again.network.l1.genesisHash).toBe(planned.network.l1.genesisHash);
    const out = join(tiny.folder, 'again');
    expect(await tiny.run('plan', file, '--shell', '--out', out)).toMatchObject({ code: 0 });
    const accounts = (name: string) => Object.keys(json(join(name, name, 'genesis', 'l1.json')).alloc);
    expect(accounts('again')).toEqual(accounts('first'));
  });

  it('is refused with its place if a client refuses two of its forks at one time', async () => {
    const { genesis, ...rest } = json('rollup.json');
    const later = genesis.l2_time + 100;
    write('shared-rollup.json', { ...rest, genesis, jovian_time: later, karst_time: later });
    const file = spec('shared', 'genesis.json', 'shared-rollup.json');
    writeFileSync(join(tiny.folder, 'bin'), '#!/bin/sh\n', { mode: 0o755 });
    const nodes = 'sequencer: { role: sequencer }\n      b: { cl: { client: op-node, binary: ./bin } }';
    appendFileSync(join(tiny.folder, file), `    nodes:\n      ${nodes}\n`);
    const { code, stderr } = await tiny.run('validate', file);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^shared\.yaml:4:\d+: chains\.main\.from\.rollup: op-node of main\/b refuses karst at the same time as jovian$/m,
    );
  });

  // Published files have null forks, mixed-case addresses, keys after alloc and keys that no rollup node reads.
  it('accepts a pair of the shape that real chains publish', async () => {
    const { genesis: anchors, ...rest } = json('rollup.json');
    const { batcherAddr, overhead, scalar, gasLimit } = anchors.system_config;
    const mixedCase = (address: string) => `0x${address.slice(2, 20).toUpperCase()}${address.slice(20)}`;
    write('real-rollup.json', {
      genesis: { ...anchors, system_config: { batcherAddr: mixedCase(batcherAddr), overhead, scalar, gasLimit } },
      ...rest,
      karst_time: null,
      pectra_blob_schedule_time: null,
      batch_inbox_address: mixedCase(rest.batch_inbox_address),
      superchain_config_address: batcherAddr,
      da_challenge_contract_address: `0x${'0'.repeat(40)}`,
    });
    const { config, alloc, ...header } = json('genesis.json');
    write('real-genesis.json', {
      config: { ...config, homesteadBlock: 0, terminalTotalDifficulty: 0, terminalTotalDifficultyPassed: true },
      ...header,
      alloc,
      number: '0x0',
      gasUsed: '0x0',
      parentHash: `0x${'0'.repeat(64)}`,
      baseFeePerGas: '0x3b9aca00',
    });
    const file = spec('real', 'real-genesis.json', 'real-rollup.json');
    const out = join(tiny.folder, 'real');
    expect(await tiny.run('plan', file, '--shell', '--out', out)).toMatchObject({ code: 0 });
    const real = await plan(file);
    expect(real.network.chains[0]!.genesisHash).toBe(planned.network.chains[0]!.genesisHash);
  });

  it.each([
    ['a file that is missing', {}, 'no.json', /cannot read .*no\.json as JSON: there is no such file\n/],
    ['a misspelt fork time', { jovain_time: 0 }, undefined, /unknown key "jovain_time"/],
    ['a wrong type', { block_time: '2' }, undefined, /block_time: expected a whole number/],
    [
      'a time that no date reaches',
      { l2_time: 9e12 },
      undefined,
      /genesis\.l2_time: expected a Unix time in seconds, at most 8640000000000/,
    ],
    ['forks out of order', { jovian_time: 5, isthmus_time: 7 }, undefined, /jovian activates before isthmus does/],
  ])('is refused with its place if rollup.json is %s', async (_, changes, missing, words) => {
    const { genesis, ...rest } = json('rollup.json');
    const { l2_time = genesis.l2_time, ...keys }: Readonly<Record<string, unknown>> = changes;
    write('bad-rollup.json', { ...rest, genesis: { ...genesis, l2_time }, ...keys });
    const file = spec('bad', 'genesis.json', missing ?? 'bad-rollup.json');
    for (const command of ['validate', 'plan']) {
      const { code, stderr } = await tiny.run(command, file);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^bad\.yaml:4:\d+: chains\.main\.from\.rollup: /m);
      expect(stderr).toMatch(words);
    }
  });

  it('is refused by validate too if the files are of another L1', async () => {
    write('other-rollup.json', { ...json('rollup.json'), l1_chain_id: 1 });
    const { code, stderr } = await tiny.run('validate', spec('other', 'genesis.json', 'other-rollup.json'));
    expect(code).toBe(2);
    expect(stderr).toContain("its l1_chain_id is 1, expected 900 as on this devnet's L1");
  });

  it.each([
    ['that is larger than 64 MiB', 'large.json', 'it has 67108865 bytes, at most 67108864 are allowed'],
    ['that is a device', 'zero.json', 'it is a device, not a regular file'],
    ['that is a folder', '.', 'it is a folder, not a regular file'],
  ])('refuses a file %s before it is read', async (_, name, reason) => {
    const large = join(tiny.folder, 'large.json');
    writeFileSync(large, '');
    truncateSync(large, 64 * 1024 * 1024 + 1);
    rmSync(join(tiny.folder, 'zero.json'), { force: true });
    symlinkSync('/dev/zero', join(tiny.folder, 'zero.json'));
    const { code, stderr } = await tiny.run('validate', spec('bound', name, name));
    expect(code).toBe(2);
    expect(stderr).toMatch(/bound\.yaml:4:\d+: chains\.main\.from\.genesis: cannot read /);
    expect(stderr).toMatch(/bound\.yaml:4:\d+: chains\.main\.from\.rollup: cannot read /);
    expect(stderr).toContain(reason);
  });

  const OWN = `0x${'ab'.repeat(20)}`;
  it.each([
    [
      'a negative balance',
      { [OWN]: { balance: -1 } },
      `alloc.${OWN}.balance: expected a number of at most 256 bits, found`,
    ],
    [
      'a balance of 257 bits',
      { [OWN]: { balance: `0x1${'0'.repeat(64)}` } },
      `alloc.${OWN}.balance: expected a number`,
    ],
    ['a short address', { '0x12': {} }, 'alloc.0x12: expected an address of 20 bytes'],
    [
      'one address in two spellings',
      { [OWN]: {}, ['AB'.repeat(20)]: {} },
      `alloc.${'AB'.repeat(20)}: the address stands`,
    ],
    ['half a byte of code', { [OWN]: { code: '0x123' } }, `alloc.${OWN}.code: expected 0x and whole bytes`],
  ])('is refused with its place if the genesis file has %s', async (_, accounts, words) => {
    const { alloc, ...rest } = json('genesis.json');
    write('bad-genesis.json', { ...rest, alloc: { ...alloc, ...accounts } });
    const { code, stderr } = await tiny.run('validate', spec('bad-alloc', 'bad-genesis.json'));
    expect(code).toBe(2);
    expect(stderr).toMatch(/^bad-alloc\.yaml:4:\d+: chains\.main\.from\.genesis: /m);
    expect(stderr).toContain(words);
  });

  it.each([
    [
      'forks out of order',
      { graniteTime: 5, holoceneTime: 3 },
      'config.holoceneTime is 3, before config.graniteTime, which is 5',
    ],
    [
      'a missing fork below a later one',
      { fjordTime: undefined },
      'config.fjordTime is missing below config.graniteTime',
    ],
    [
      'a time that is no number',
      { isthmusTime: '0x5' },
      'config.isthmusTime: expected a whole number of seconds from 0, found "0x5"',
    ],
    ['an Ethereum fork at another time', { cancunTime: 5 }, 'config.cancunTime is 5, config.ecotoneTime is 0'],
    ['no rates', { optimism: {} }, 'config.optimism.eip1559Elasticity: expected a whole number from 1'],
    ['no rollup', { optimism: undefined }, "config.optimism: expected a rollup's EIP-1559 parameters"],
  ])('is refused with its place if the genesis file has %s', async (_, changes, words) => {
    const { config, ...rest } = json('genesis.json');
    write('bad-genesis.json', { ...rest, config: { ...config, ...changes } });
    const { code, stderr } = await tiny.run('validate', spec('bad-config', 'bad-genesis.json'));
    expect(code).toBe(2);
    expect(stderr).toMatch(/^bad-config\.yaml:4:\d+: chains\.main\.from\.genesis: /m);
    expect(stderr).toContain(words);
  });

  const beginningWith = (keys: string, name: string) =>
    writeFileSync(
      join(tiny.folder, `twice-${name}`),
      readFileSync(join(tiny.folder, name), 'utf8').replace('{', `{\n${keys}`),
    );

  it('is refused with the line if a file has one key twice in one spelling', async () => {
    beginningWith('"alloc": {},\n"config": {},', 'genesis.json');
    beginningWith('"genesis": {},\n"genesis": {},', 'rollup.json');
    for (const command of ['validate', 'plan']) {
      const { code, stderr } = await tiny.run(command, spec('twice', 'twice-genesis.json', 'twice-rollup.json'));
      expect(code).toBe(2);
      const problems = stderr.split('\n').filter((line) => line.endsWith('stands here twice'));
      expect(problems).toHaveLength(2);
      expect(problems[0]).toMatch(/^twice\.yaml:4:\d+: chains\.main\.from\.genesis: .*twice-genesis\.json /);
      expect(problems[0]).toMatch(/ line 3, column \d+: the key "(config|alloc)" stands/);
      expect(problems[1]).toMatch(/^twice\.yaml:4:\d+: chains\.main\.from\.rollup: .*twice-rollup\.json /);
      expect(problems[1]).toContain(' line 3, column 1: the key "genesis" stands');
    }
  });

  it.each(['l1', 'chains.main'])(
    'names the line of an address that stands twice in the file of %s.alloc',
    async (at) => {
      const entry = `  "${OWN}": { "balance": "1" }`;
      writeFileSync(join(tiny.folder, 'accounts.json'), `{\n${entry},\n${entry}\n}\n`);
      const [first, second] = at.split('.');
      const lines =
        second === undefined
          ? `${first}: { alloc: accounts.json }`
          : `${first}: { ${second}: { alloc: accounts.json } }`;
      writeFileSync(join(tiny.folder, 'alloc.yaml'), `name: own\n${lines}\n`);
      const { code, stderr } = await tiny.run('validate', 'alloc.yaml');
      expect(code).toBe(2);
      expect(stderr).toMatch(/^alloc\.yaml:2:\d+: /m);
      expect(stderr).toContain(`accounts.json as JSON: line 3, column 3: the key "${OWN}" stands here twice\n`);
    },
  );

  it('names the computed and the stated genesis hash if they differ', async () => {
    const genesis = json('genesis.json');
    write('richer.json', { ...genesis, alloc: { ...genesis.alloc, [OWN]: { balance: '1', comment: 'a donor' } } });
    const { code, stderr } = await tiny.run('validate', spec('richer', 'richer.json'));
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^richer\.yaml:4:\d+: chains\.main\.from\.genesis: the genesis block of .*richer\.json is 0x/m,
    );
    expect(stderr).toContain(`is ${json('rollup.json').genesis.l2.hash}\n`);
    const computed = /richer\.json is (0x[0-9a-f]{64})/.exec(stderr)![1];
    const rollup = json('rollup.json');
    write('richer-rollup.json', { ...rollup, genesis: { ...rollup.genesis, l2: { hash: computed, number: 0 } } });
    expect(await tiny.run('validate', spec('richer', 'richer.json', 'richer-rollup.json'))).toMatchObject({ code: 0 });
  });

  it('is refused if the genesis file is not one', async () => {
    write('empty.json', {});
    const { code, stderr } = await tiny.run('validate', spec('none', 'empty.json'));
    expect(code).toBe(2);
    expect(stderr).toMatch(/none\.yaml:4:22: chains\.main\.from\.genesis: .*config: expected a map with chainId/);
  });
});

describe('a program that is not there', () => {
  const nodes = (line: string) => {
    const path = 'programs.yaml';
    writeFileSync(
      join(tiny.folder, path),
      'chains:\n  main:\n    nodes:\n      sequencer: { role: sequencer }\n' +
        `      real: { el: { client: op-geth, ${line} } }\n`,
    );
    return path;
  };

  it.each([
    ['is missing', 'binary: ./nowhere/geth', /\/nowhere\/geth does not exist/],
    ['is not on the PATH', 'binary: geth-of-nobody', /geth-of-nobody is not on the PATH/],
    ['is not executable', 'binary: ./first.yaml', /first\.yaml is not executable/],
    ['is a folder', 'binary: ./first', /first is not a file/],
  ])('is named with its place, exit 4: %s', async (_, line, words) => {
    for (const command of ['validate', 'plan']) {
      const { code, stderr } = await tiny.run(command, nodes(line));
      expect(code).toBe(4);
      expect(stderr).toMatch(/^programs\.yaml:5:\d+: chains\.main\.nodes\.real\.el\.binary: the program /m);
      expect(stderr).toMatch(words);
    }
  });

  it('is accepted if the user starts the process', async () => {
    expect(await tiny.run('validate', nodes('binary: ./nowhere/geth, launch: manual'))).toMatchObject({ code: 0 });
  });
});
