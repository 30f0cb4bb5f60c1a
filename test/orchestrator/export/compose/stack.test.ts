import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { command } from '../../../../src/orchestrator/cli/commands/export/compose.ts';
import { swarmLimits } from '../../../../src/orchestrator/export/compose/configs.ts';
import { stackText } from '../../../../src/orchestrator/export/compose/stack.ts';
import { tunnelText } from '../../../../src/orchestrator/export/compose/tunnel.ts';
import { EXPORT_PATHS } from '../../../../src/orchestrator/export/export-network.ts';
import type { ExportFile } from '../../../../src/orchestrator/export/network-folder.ts';
import { exportText, loadText, SPECS, testIo } from '../exported.ts';
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

/** Runs `devnet export compose` in a folder with these files, and returns what it prints and the names it writes. */
async function exportFolder(files: Readonly<Record<string, string>>) {
  const io = testIo();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(io.cwd, name), text);
  const lines: string[] = [];
  const options = { set: [], out: 'net' };
  const status = await command.run({ ...io, stderr: (text) => void lines.push(text) }, ['net.yaml'], options);
  expect(status).toBe(0);
  return { names: readdirSync(join(io.cwd, 'net')), text: lines.join('') };
}

it('the folder for Compose carries the files for a swarm', async () => {
  const { names, text } = await exportFolder({ 'net.yaml': 'name: net\n' });
  expect(names).toEqual(expect.arrayContaining(['docker-compose.yml', 'stack.yaml', 'tunnel.yaml', 'attach.yaml']));
  expect(text).toContain('docker stack deploy -c net/stack.yaml devnet-net');
});

it('the folder is for Compose alone when a file is above the limit of a swarm, and the export says which', async () => {
  const account = (index: number) => [`0x1${String(index).padStart(39, '0')}`, { balance: '0x7' }];
  const { names, text } = await exportFolder({
    'net.yaml': 'name: net\nchains:\n  main:\n    alloc: ./alloc.json\n',
    'alloc.json': JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => account(index)))),
  });
  expect(names).toContain('docker-compose.yml');
  expect(names.filter((name) => ['stack.yaml', 'tunnel.yaml'].includes(name))).toEqual([]);
  expect(text).toMatch(/note: net\.yaml:4:12: devnet\/files\/0-alloc\.json has \d{6} bytes, and .* at most 512000/);
  expect(text).not.toContain('docker stack');
});

it('a file may have as many bytes as a config of a swarm, and no more', async () => {
  const loaded = await loadText('{}');
  const file = { path: 'devnet/files/0-alloc.json', text: 'ü'.repeat(300) };
  expect(swarmLimits(loaded, [file], 600)).toEqual([]);
  expect(swarmLimits(loaded, [file], 599)).toEqual([expect.stringContaining('0-alloc.json has 600 bytes')]);
});
