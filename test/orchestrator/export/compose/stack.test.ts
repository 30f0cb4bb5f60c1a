import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { command } from '../../../../src/orchestrator/cli/commands/export/compose.ts';
import type { OptionValues } from '../../../../src/orchestrator/cli/input/command.ts';
import { stackText } from '../../../../src/orchestrator/export/compose/stack.ts';
import { tunnelText } from '../../../../src/orchestrator/export/compose/tunnel.ts';
import { EXPORT_PATHS } from '../../../../src/orchestrator/export/export-network.ts';
import type { ExportFile } from '../../../../src/orchestrator/export/network-folder.ts';
import type { Io } from '../../../../src/orchestrator/terminal/io.ts';
import { exportText, SPECS, testIo } from '../exported.ts';
import { isCompose } from './schema.ts';

interface StackService {
  readonly hostname: string;
  readonly ports?: readonly { readonly published: number; readonly mode: string }[];
  readonly configs: readonly { readonly source: string; readonly target: string }[];
  readonly volumes: readonly unknown[];
  readonly healthcheck: { readonly test: readonly string[] };
  readonly deploy: { readonly placement: { readonly constraints: readonly string[] } };
}

interface StackFile {
  readonly services: Readonly<Record<string, StackService>>;
  readonly configs: Readonly<Record<string, { readonly file: string }>>;
}

const WORDS = 'test test test test test test test test test test test junk';
const OPEN = `chains: { main: { accounts: { mnemonic: ${WORDS} } } }`;
const OPTIONS = { image: 'registry.example/devnet:1', ...EXPORT_PATHS };

async function stackOf(text: string, isExposed = false, more: readonly ExportFile[] = []): Promise<string> {
  const { devnet, units, files } = await exportText(text, isExposed);
  const configs = [...files.filter(({ secret }) => !secret), ...more];
  return stackText(devnet, units, configs, { ...OPTIONS, isExposed });
}

async function tunnelOf(text: string): Promise<string> {
  const { devnet, units } = await exportText(text);
  return tunnelText(devnet, units, OPTIONS);
}

/** Keys of a service that `docker stack deploy` refuses or passes over with a warning. */
const REFUSED = ['depends_on', 'restart', 'mem_limit', 'security_opt', 'tmpfs', 'build', 'container_name', 'links'];

it.each(Object.entries(SPECS))('the published schema of Compose takes the stack file of %s', async (_, text) => {
  const stack = parse(await stackOf(text));
  expect(isCompose(stack), JSON.stringify(isCompose.errors)).toBe(true);
  expect(isCompose(parse(await tunnelOf(text))), JSON.stringify(isCompose.errors)).toBe(true);
  for (const [name, service] of Object.entries((stack as StackFile).services)) {
    expect(Object.keys(service).filter((key) => REFUSED.includes(key))).toEqual([]);
    expect(service).toMatchObject({
      hostname: name,
      read_only: true,
      cap_drop: ['ALL'],
      secrets: ['devnet'],
      deploy: { endpoint_mode: 'dnsrr', restart_policy: { condition: 'any' } },
    });
    // A swarm has no folder that all machines see.
    expect(service.volumes).toEqual([`${name}:/data`, { type: 'tmpfs', target: '/tmp' }]);
    // Two rollup nodes that wait for their peers would wait for each other's names.
    expect(service.healthcheck.test.at(-1)).toBe('--reachable');
  }
});

it('the published schema refuses a placement that a swarm does not know', async () => {
  const stack = parse(await stackOf('{}'));
  stack.services.l1.deploy.placement.labels = {};
  expect(isCompose(stack)).toBe(false);
});

it('a network gives the same stack file each time, without fork times, seed and keys', async () => {
  const text = `seed: 987654\n${SPECS['a late fork']}`;
  const first = await stackOf(text);
  expect(await stackOf(text)).toBe(first);
  expect(first).not.toMatch(/987654|0x[0-9a-f]{16}|isthmus|\b1[789]\d{8}\b/);
});

it('a stack publishes no port unless it is exposed, and then JSON-RPC in host mode', async () => {
  const portsOf = (text: string) => {
    const { services }: StackFile = parse(text);
    return Object.entries(services).flatMap(([name, { ports = [] }]) =>
      ports.map(({ published, mode }) => `${name} ${published} ${mode}`),
    );
  };
  expect(portsOf(await stackOf(OPEN))).toEqual([]);
  expect(portsOf(await stackOf(OPEN, true))).toEqual([
    'l1 8545 host',
    'main-sequencer-el 9545 host',
    'main-sequencer-el 9546 host',
    'main-verifier-el 9555 host',
    'main-verifier-el 9556 host',
  ]);
});

it('a tunnel publishes on loopback alone, and leads each port to its unit', async () => {
  const { services } = parse(await tunnelOf('{}'));
  const { entrypoint, ports }: { entrypoint: string[]; ports: string[] } = services.tunnel;
  const places = entrypoint.at(-1)?.replace('--forward=', '').split(',') ?? [];
  expect(places).toContain('main-verifier-cl:9557');
  expect(ports).toEqual(places.map((place) => place.replace(/.*:(.*)/, '127.0.0.1:$1:$1')));
});

it('a config has the name of its content, and stands where units read it', async () => {
  const alloc = (text: string) => ({ path: 'devnet/files/0-alloc.json', text });
  const configsOf = async (text: string) => parse(await stackOf('{}', false, [alloc(text)])) as StackFile;
  const { services, configs } = await configsOf('{}');
  const files = Object.fromEntries(
    services['l1']?.configs.map(({ source, target }) => [target, configs[source]?.file]) ?? [],
  );
  expect(files).toEqual({
    '/devnet/network.json': './devnet/network.json',
    '/devnet/spec.yaml': './devnet/spec.yaml',
    '/devnet/files/0-alloc.json': './devnet/files/0-alloc.json',
  });
  const other = Object.keys((await configsOf('{ }')).configs);
  expect(other.filter((name) => configs[name] === undefined)).toEqual([expect.stringMatching(/^0-alloc-json-/)]);
});

it('L1 without a place stays with a manager, because its volume does not move', async () => {
  const { services }: StackFile = parse(await stackOf('{}'));
  const constraints = Object.entries(services).map(([name, { deploy }]) => [name, deploy.placement.constraints]);
  expect(constraints.filter(([, list]) => list?.length !== 0)).toEqual([['l1', ['node.role == manager']]]);
});

const place = fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined });

it('a unit runs where the innermost place of the spec says', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ all: place, l1: place, chain: place, node: place, el: place, batcher: place }),
      async ({ all, l1, chain, node, el, batcher }) => {
        const at = (site: string | undefined) => (site === undefined ? {} : { place: { site } });
        const spec = {
          ...at(all),
          l1: at(l1),
          chains: {
            main: {
              ...at(chain),
              batcher: at(batcher),
              nodes: { sequencer: { role: 'sequencer' }, verifier: { ...at(node), el: at(el) } },
            },
          },
        };
        const { services }: StackFile = parse(await stackOf(JSON.stringify(spec)));
        const siteOf = (name: string) => services[name]?.deploy.placement.constraints.join();
        const label = (site: string | undefined, none = '') =>
          site === undefined ? none : `node.labels.site == ${site}`;
        expect(siteOf('l1')).toBe(label(l1 ?? all, 'node.role == manager'));
        expect(siteOf('main-verifier-el')).toBe(label(el ?? node ?? chain ?? all));
        expect(siteOf('main-verifier-cl')).toBe(label(node ?? chain ?? all));
        expect(siteOf('main-batcher')).toBe(label(batcher ?? chain ?? all));
        expect(siteOf('main-proposer')).toBe(label(chain ?? all));
      },
    ),
    { numRuns: 15 },
  );
});

/** Runs `devnet export compose` in a folder, and returns the names of the files that it writes. */
async function exportFolder(io: Io, spec: string, options: OptionValues = {}): Promise<string[]> {
  expect(await command.run(io, [spec], { set: [], out: 'net', ...options })).toBe(0);
  return readdirSync(join(io.cwd, 'net'));
}

it('the folder for Compose carries the files for a swarm, unless it is to have none', async () => {
  const spec = 'name: net\n';
  const both = testIo();
  writeFileSync(join(both.cwd, 'net.yaml'), spec);
  expect(await exportFolder(both, 'net.yaml', { swarm: true })).toEqual(
    expect.arrayContaining(['docker-compose.yml', 'stack.yaml', 'tunnel.yaml', 'attach.yaml']),
  );
  const alone = testIo();
  writeFileSync(join(alone.cwd, 'net.yaml'), spec);
  const files = await exportFolder(alone, 'net.yaml', { swarm: false });
  expect(files).toContain('docker-compose.yml');
  expect(files).not.toContain('stack.yaml');
});

it('the export refuses a file above the limit of a swarm, and writes nothing', async () => {
  const io = testIo();
  const account = (index: number) => [`0x1${String(index).padStart(39, '0')}`, { balance: '0x7' }];
  writeFileSync(
    join(io.cwd, 'alloc.json'),
    JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => account(index)))),
  );
  writeFileSync(join(io.cwd, 'net.yaml'), 'name: net\nchains:\n  main:\n    alloc: ./alloc.json\n');
  await expect(exportFolder(io, 'net.yaml', { swarm: true })).rejects.toThrow(/net\.yaml:4:12[\s\S]*at most 512000/);
  expect(readdirSync(io.cwd)).not.toContain('net');
  expect(await exportFolder(io, 'net.yaml', { swarm: false })).toContain('docker-compose.yml');
});
