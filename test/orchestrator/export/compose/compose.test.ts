import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { composeText } from '../../../../src/orchestrator/export/compose/compose.ts';
import { EXPORT_PATHS } from '../../../../src/orchestrator/export/export-network.ts';
import { exportText, SPECS } from '../exported.ts';
import { isCompose } from './schema.ts';

interface ComposeFile {
  readonly services: Readonly<Record<string, { readonly ports?: readonly string[]; readonly [key: string]: unknown }>>;
}

const WORDS = 'test test test test test test test test test test test junk';
const OPEN = `chains: { main: { accounts: { mnemonic: ${WORDS} } } }`;

async function composeOf(text: string, isExposed = false): Promise<string> {
  const { devnet, units } = await exportText(text, isExposed);
  return composeText(devnet, units, { image: 'registry.example/devnet:1', isExposed, ...EXPORT_PATHS });
}

it.each(Object.entries(SPECS))('the published schema of Compose takes the file of %s', async (_, text) => {
  expect(isCompose(parse(await composeOf(text))), JSON.stringify(isCompose.errors)).toBe(true);
});

it('the published schema refuses a key that Compose does not know', async () => {
  const file = parse(await composeOf('{}'));
  file.services.l1.restarts = 'always';
  expect(isCompose(file)).toBe(false);
});

it('a network gives the same file each time, without fork times, hashes, seed and keys', async () => {
  const text = `seed: 987654\n${SPECS['a late fork']}`;
  const first = await composeOf(text);
  expect(await composeOf(text)).toBe(first);
  expect(first).not.toMatch(/987654|0x[0-9a-f]{16}|isthmus|\b1[789]\d{8}\b/);
});

it('ports are published on loopback alone unless the network is exposed', async () => {
  const portsOf = (text: string) => {
    const { services }: ComposeFile = parse(text);
    return Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));
  };
  expect(portsOf(await composeOf(OPEN)).filter((port) => !port.includes(' 127.0.0.1:'))).toEqual([]);
  expect(portsOf(await composeOf(OPEN, true)).filter((port) => !port.includes(' 127.0.0.1:'))).toEqual([
    'l1 8545:8545',
    'main-sequencer-el 9545:9545',
    'main-sequencer-el 9546:9546',
    'main-verifier-el 9555:9555',
    'main-verifier-el 9556:9556',
  ]);
});

it('each service runs without rights, and writes to its volume alone', async () => {
  const { services }: ComposeFile = parse(await composeOf('{}'));
  for (const [name, service] of Object.entries(services))
    expect(service, name).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      volumes: [`${name}:/data`, './devnet:/devnet:ro'],
      secrets: ['devnet'],
    });
});

it('a client in an image of its own copies nothing of it into the volume, which another service fills', async () => {
  const { services }: ComposeFile = parse(await composeOf(SPECS['clients in images of their own'] ?? ''));
  const client = [{ type: 'volume', source: 'main-v-el', target: '/data', volume: { nocopy: true } }];
  expect(services['main-v-el']?.['volumes']).toEqual(client);
  expect(services['main-v-el-prepare-0']?.['volumes']).toEqual(client);
  expect(services['main-v-el-files']?.['volumes']).toEqual(['main-v-el:/data', './devnet:/devnet:ro']);
});
