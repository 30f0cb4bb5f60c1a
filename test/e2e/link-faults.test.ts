import { once } from 'node:events';
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FaultDocument } from '../../src/orchestrator/state/faults.ts';
import type { Problem } from '../../src/orchestrator/state/problem.ts';
import { Home, node, rpc, type Status } from './devnet.ts';

const spec = {
  version: 1,
  name: 'weather',
  ports: 'auto',
  faults: true,
  l1: { blockTime: 1 },
  chains: { main: { blockTime: 1, proposer: false, nodes: { s: { role: 'sequencer' }, v: {} } } },
};

interface FaultStatus extends Status {
  readonly supervisor: number;
  readonly faults: FaultDocument;
  readonly problems: readonly Problem[];
}

const LONG = { timeout: 120_000, interval: 200 };

describe('in a network with faults: true', () => {
  const home = new Home();
  beforeAll(() => home.up(home.spec('weather', spec)).then(() => undefined));
  afterAll(() => home[Symbol.asyncDispose]());

  const status = () => home.json<FaultStatus>('status');
  const peersOf = async (name: string) =>
    (await rpc<{ connected: number }>(node(await status(), name).cl.rpc, 'opp2p_peerStats')).connected;
  const fault = async (...args: string[]) => {
    const { code, stderr } = await home.devnet('fault', ...args);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    return stderr;
  };
  const headsOf = async () => {
    const all = await status();
    const [s, v] = ['s', 'v'].map((name) => node(all, name).heads);
    return { s: s!, v: v! };
  };

  it('peers know each other, and themselves, by the proxies alone', async () => {
    const all = await status();
    const direct = ['s', 'v'].map((name) => /\/tcp\/\d+/.exec(node(all, name).cl.p2p)![0]);
    for (const name of ['s', 'v']) {
      const { rpc: url } = node(all, name).cl;
      await vi.waitFor(async () => expect(await peersOf(name)).toBe(1), LONG);
      for (const method of ['opp2p_peers', 'opp2p_self']) {
        const answer = JSON.stringify(await rpc(url, method, ...(method === 'opp2p_peers' ? [false] : [])));
        expect(answer, `${name} ${method}`).toContain('/tcp/');
        for (const place of direct) expect(answer, `${name} ${method}`).not.toContain(`${place}/`);
        for (const place of direct) expect(answer, `${name} ${method}`).not.toContain(`${place}"`);
      }
    }
  });

  it('a partition leaves a verifier with what it derives, and gossip is back soon after it is healed', async () => {
    const { v: before } = await headsOf();
    expect(await fault('partition', 's,batcher', 'v')).toMatch(
      /^fault \d+: partition s,batcher \| v; `devnet fault heal/,
    );
    await vi.waitFor(async () => expect([await peersOf('s'), await peersOf('v')]).toEqual([0, 0]), LONG);
    await vi.waitFor(async () => {
      const { s, v } = await headsOf();
      expect(v.safe!.number).toBeGreaterThan(before.unsafe!.number + 2);
      expect(v.unsafe).toEqual(v.safe);
      expect(s.unsafe!.number).toBeGreaterThan(v.unsafe!.number);
    }, LONG);
    await fault('heal');
    await vi.waitFor(async () => {
      const { v } = await headsOf();
      expect(v.unsafe!.number).toBeGreaterThan(v.safe!.number);
      expect([await peersOf('s'), await peersOf('v')]).toEqual([1, 1]);
    }, LONG);
    await home.agrees();
  });

  it('a fault is shown, is the cause of the problems on its links, and is told to watchers', async () => {
    const watch = home.start('watch', '--json');
    let told = '';
    watch.stdout!.setEncoding('utf8').on('data', (part: string) => (told += part));
    await vi.waitFor(() => expect(told).toContain('"head"'), LONG);
    const [, id] = /^fault (\d+)/.exec(await fault('drop', 'v:engine'))!;
    const text = `fault ${id}: drop v:engine`;
    await vi.waitFor(async () => {
      const { faults, problems } = await status();
      expect(faults.shaping).toMatchObject([{ id, target: 'v:engine', drop: true }]);
      expect(problems.map(({ because }) => because)).toContain(text);
    }, LONG);
    expect((await home.devnet('status')).stdout).toMatch(new RegExp(`FAULT {4}${id}: drop v:engine, since`));
    await fault('heal', '--all');
    await vi.waitFor(async () => expect(await status()).toMatchObject({ phase: 'ready', problems: [] }), LONG);
    await vi.waitFor(() => expect(told).toContain('"state":"healed"'), LONG);
    watch.kill('SIGINT');
    const events = told.split('\n').filter((line) => line.includes('"kind":"fault"'));
    expect(events.map((line) => JSON.parse(line).state)).toEqual(['added', 'healed']);
  });

  it('a fault with a time ends by Ctrl-C, by itself, and when its command was killed', async () => {
    const begun = async (...args: string[]) => {
      const child = home.start('fault', ...args);
      let text = '';
      child.stderr!.setEncoding('utf8').on('data', (part: string) => (text += part));
      await vi.waitFor(() => expect(text).toMatch(/^fault \S+: /m), LONG);
      return child;
    };
    const over = home.process('fault', 'cut', 'beacon', '--for', '1s');
    const [slow, killed] = await Promise.all([
      begun('delay', 's-v', '--ms', '50', '--for', '10m'),
      begun('limit', 'v', '--kbps', '1000', '--for', '3s'),
    ]);
    killed.kill('SIGKILL');
    expect(await over).toMatchObject({ code: 0, stderr: expect.stringMatching(/fault \S+ is healed/) });
    const targets = async () =>
      (await home.json<FaultDocument>('fault', 'ls')).shaping.map(({ target }) => target).sort();
    expect(await targets()).toContain('s-v');
    slow.kill('SIGINT');
    expect((await once(slow, 'exit'))[0]).toBe(130);
    expect(await targets()).not.toContain('s-v');
    await vi.waitFor(async () => expect(await targets()).toEqual([]), LONG);
  });

  it('a document is put in force as a whole, or not at all', async () => {
    const file = (name: string, text: string) => {
      writeFileSync(join(home.folder, name), text);
      return name;
    };
    await fault('apply', file('one.yaml', 'shaping: [{ id: slow, target: "v:engine", delay: 20 }]'));
    const wrong = file('wrong.yaml', 'shaping:\n  - { target: v, cut: true }\n  - { target: w, cut: true }\n');
    const refused = await home.devnet('fault', 'apply', wrong);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('wrong.yaml:3:15')]);
    const document = await home.json<FaultDocument>('fault', 'ls');
    expect(document.shaping).toMatchObject([{ id: 'slow' }]);
    await fault('apply', file('same.json', JSON.stringify(document)));
    expect(await home.json('fault', 'ls')).toEqual(document);
    await fault('apply', file('none.yaml', '{}'));
    expect((await home.devnet('fault', 'ls')).stdout).toBe('no fault stands\n');
    const twice = await home.devnet('fault', 'heal', 'slow');
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('there is no fault slow')]);
  });

  it('many faults leave no connection behind, and the nodes agree', async () => {
    const { supervisor } = await status();
    const sockets = () =>
      readdirSync(`/proc/${supervisor}/fd`).filter((fd) => {
        try {
          return readlinkSync(`/proc/${supervisor}/fd/${fd}`).startsWith('socket:');
        } catch {
          return false;
        }
      }).length;
    const quiet = sockets();
    for (let round = 0; round < 5; round++) {
      await fault('cut', 's-v');
      await fault('drop', 'v:l1');
      await fault('delay', 'batcher', '--ms', '30', '--jitter', '10', '--loss', '1');
      await fault('partition', 's', 'v');
      await fault('heal', '--all');
    }
    await vi.waitFor(async () => expect(await status()).toMatchObject({ phase: 'ready' }), LONG);
    await vi.waitFor(async () => expect(await peersOf('v')).toBe(1), LONG);
    // A few connections of health checks come and go.
    await vi.waitFor(() => expect(sockets()).toBeLessThanOrEqual(quiet + 4), LONG);
    await home.agrees();
  });

  it('links stand over a stop and a start, and faults end with the stop', async () => {
    const linksOf = async () => (await home.json<{ links: unknown }>('plan', '--name', 'weather')).links;
    const before = await linksOf();
    await fault('cut', 's-v');
    expect((await home.devnet('stop')).code).toBe(0);
    expect((await home.devnet('start', '--ready-budget', '300s')).code).toBe(0);
    expect(await linksOf()).toEqual(before);
    expect((await status()).faults).toEqual({ partitions: [], shaping: [], rpc: [], pool: [] });
    await vi.waitFor(async () => expect(await peersOf('v')).toBe(1), LONG);
  });
});
