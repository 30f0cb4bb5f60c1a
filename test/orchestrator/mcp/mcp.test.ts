import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { specJsonSchema } from '../../../src/orchestrator/spec/schema/spec.ts';
import { BUNDLE, Tiny } from '../cli/tiny.ts';

const LOOKS = [
  ...['block', 'check', 'check_explain', 'explain', 'logs_search', 'plan', 'status', 'tx', 'validate', 'wait'],
];
const CONTROLS = ['down', 'fork', 'node', 'revert', 'run', 'snapshot', 'up', 'warp'];

/** The versions of the protocol that are in use: by `initialize` (2025-11-25 and older), and 2026-07-28. */
const MODES = ['legacy', { pin: '2026-07-28' }] as const;
type Mode = (typeof MODES)[number];

/** The protocol's own client, connected to `devnet mcp`. */
async function connect(
  tiny: Tiny,
  mode: Mode,
  words: readonly string[] = [],
  [command = '', ...args]: readonly string[] = [process.execPath, BUNDLE, 'mcp'],
) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport({
    command,
    args: [...args, ...words],
    cwd: tiny.folder,
    env: Object.fromEntries(Object.entries(tiny.env).filter((each): each is [string, string] => each[1] !== undefined)),
    stderr: 'inherit',
  });
  await client.connect(transport);
  const call = async (name: string, input: Readonly<Record<string, unknown>> = {}, signal?: AbortSignal) => {
    const options = { timeout: 300_000, ...(signal === undefined ? {} : { signal }) };
    const { content, isError = false } = await client.callTool({ name, arguments: input }, options);
    return { isError, text: content.map((each) => (each.type === 'text' ? each.text : '')).join('\n') };
  };
  const read = async (uri: string) => {
    const [content] = (await client.readResource({ uri })).contents;
    return content !== undefined && 'text' in content ? content.text : '';
  };
  const tools = async () => (await client.listTools()).tools;
  return { client, call, read, tools, [Symbol.asyncDispose]: () => client.close() };
}

describe('an agent that may look', () => {
  let tiny: Tiny;
  beforeAll(async () => {
    tiny = new Tiny();
    expect(await tiny.run('up', tiny.spec('seen'), '-d')).toMatchObject({ code: 0 });
  });
  afterAll(() => tiny[Symbol.asyncDispose]());

  describe.each(MODES)('of version %j', (mode) => {
    it('is offered the tools that change nothing', async () => {
      await using agent = await connect(tiny, mode);
      expect(agent.client.getNegotiatedProtocolVersion()).toBe(mode === 'legacy' ? '2025-11-25' : mode.pin);
      const tools = await agent.tools();
      expect(tools.map(({ name }) => name).sort()).toEqual(LOOKS);
      expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
      expect(await agent.call('status')).toMatchObject({ isError: false, text: expect.stringContaining('sequencer') });
      await expect(agent.call('down', { devnet: 'seen' })).rejects.toThrow('Tool down not found');
    });

    it('gets what the commands print, with the next step', async () => {
      await using agent = await connect(tiny, mode);
      expect((await agent.call('wait', { condition: 'block:1' })).text).toBe('done');
      expect((await agent.call('check')).text).toMatch(/the nodes agree|all nodes agree/);
      expect((await agent.call('explain', { word: 'blockTime' })).text).toContain('seconds');
      expect((await agent.call('plan', { devnet: 'seen' })).text).toContain('rpc-node.mjs');
      expect((await agent.call('logs_search', { pattern: '.', node: 'sequencer.el' })).text).toContain('listening on');
      const late = await agent.call('wait', { condition: 'block:100000', timeout: '1s' });
      expect(late).toMatchObject({ isError: false, text: expect.stringMatching(/exit code 3\nnext: `status`/) });
      const spec = await agent.call('validate', { spec: 'absent.yaml' });
      expect(spec).toMatchObject({
        isError: false,
        text: expect.stringMatching(/absent.yaml[\s\S]*exit code 2\nnext: /),
      });
      expect(JSON.parse(await agent.read('devnet://spec-schema'))).toEqual(
        JSON.parse(JSON.stringify(specJsonSchema())),
      );
      expect(await agent.read('devnet://skill')).toContain('# Find the cause of a failure in a devnet');
    });

    it('gets no private key', async () => {
      await using agent = await connect(tiny, mode);
      const accounts = await tiny.json<readonly { readonly privateKey?: string }[]>('accounts', '--name', 'seen');
      const keys = accounts.flatMap(({ privateKey = '' }) => (privateKey === '' ? [] : [privateKey.slice(2)]));
      expect(keys.length).toBeGreaterThan(5);
      const answers = await Promise.all([
        ...['status', 'check', 'check_explain', 'block', 'plan'].map((name) => agent.call(name, { devnet: 'seen' })),
        agent.call('logs_search', { pattern: '.' }),
      ]);
      const texts = answers.map(({ text }) => text).join('\n');
      expect(keys.filter((key) => texts.includes(key))).toEqual([]);
    });

    it.each([
      ['an option for a word', 'wait', { condition: '--timeout=1h' }],
      ['an option for the name', 'status', { devnet: '--all' }],
      ['a pattern without an end', 'logs_search', { pattern: 'x'.repeat(501) }],
      ['an input of another type', 'tx', { hash: 12 }],
      ['no such tool', 'rm', {}],
    ])('is refused %s', async (_, name, input) => {
      await using agent = await connect(tiny, mode);
      const outcome = await agent.call(name, input).catch((error: unknown) => ({ isError: true, text: String(error) }));
      expect(outcome.isError).toBe(true);
    });
  });

  it('is told on stderr of what is no message of the protocol, and the server goes on', async () => {
    const { child, closed, stderr, stdout } = tiny.start(['mcp']);
    child.stdin.end('rubbish\n{"a":1}\n{"jsonrpc":"2.0","id":5,"method":"nope"}\n');
    expect(await closed).toMatchObject({ code: 0 });
    expect(stderr()).toContain('devnet: MCP: received a message that is not JSON-RPC 2.0');
    expect(JSON.parse(stdout())).toMatchObject({ id: 5, error: { message: 'Method not found' } });
  });

  it('gets a bounded answer, which says what is left out, when it asks for a log of a gigabyte', async () => {
    // A running devnet would rotate such a log.
    expect(await tiny.run('stop', 'seen')).toMatchObject({ code: 0 });
    const path = join(tiny.home, 'seen', 'nodes', 'main', 'verifier', 'el.log');
    const [begin, end] = ['begin', 'end'].map((word) => `${new Date().toISOString()} needle at the ${word}`);
    appendFileSync(path, `${begin}\n${`${new Date().toISOString()} ${'x'.repeat(99)}\n`.repeat(100_000)}`);
    truncateSync(path, 2 ** 30);
    appendFileSync(path, `\n${end}\n`);
    // A heap that holds a small part of it.
    tiny.env['NODE_OPTIONS'] = '--max-old-space-size=64';
    await using agent = await connect(tiny, 'legacy');
    const call = (pattern: string) => agent.call('logs_search', { pattern, node: 'verifier.el', devnet: 'seen' });
    expect(await call('needle')).toEqual({ isError: false, text: `${begin}\n${end}` });
    const { text } = await call('.');
    expect(text.length).toBeLessThan(21_000);
    expect(text).toMatch(/\[\d+ characters are left out here: ask for less\]/);
    expect(text.endsWith(`\n${end}`)).toBe(true);
  });
});

describe('an agent with control', () => {
  it('starts the server by the configuration of the how-to, and has the tools of its table', async () => {
    await using tiny = new Tiny();
    const page = readFileSync(join(import.meta.dirname, '../../../docs/how-to/agents.md'), 'utf8');
    const { command, args } = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)![1]!).mcpServers.devnet;
    const programs = join(tiny.folder, 'node_modules', '.bin');
    mkdirSync(programs, { recursive: true });
    symlinkSync(BUNDLE, join(programs, 'devnet'));
    await using agent = await connect(tiny, 'legacy', [], [command, ...args]);
    const rows = page.split('\n').filter((line) => /^\| (?:`|with)/.test(line));
    const inTable = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    expect((await agent.tools()).map(({ name }) => name).sort()).toEqual(inTable.sort());
  });

  it('changes the devnets that it started alone, and these end with it', async () => {
    await using tiny = new Tiny();
    tiny.spec('mine');
    expect(await tiny.run('up', tiny.spec('users'), '-d')).toMatchObject({ code: 0 });
    const [agent, other] = await Promise.all([
      connect(tiny, { pin: '2026-07-28' }, ['--control']),
      connect(tiny, 'legacy', ['--control']),
    ]);
    try {
      expect((await agent.tools()).map(({ name }) => name).sort()).toEqual([...LOOKS, ...CONTROLS].sort());
      expect(await agent.call('down')).toMatchObject({ isError: true, text: expect.stringContaining('call `up`') });
      const up = await agent.call('up', { spec: './mine.yaml' });
      expect(up).toMatchObject({ isError: false, text: expect.stringMatching(/^mine is ready[\s\S]*next: `wait`/m) });
      expect(await other.call('node', { action: 'stop', node: 'verifier' })).toMatchObject({ isError: true });
      expect(await agent.call('node', { action: 'stop', node: 'verifier' })).toMatchObject({ isError: false });
      expect((await agent.call('status')).text).toMatch(/verifier[\s\S]*stopped/);
      expect(await other.call('up', { spec: './mine.yaml' })).toMatchObject({ isError: true });
    } finally {
      await Promise.all([agent, other].map((each) => each[Symbol.asyncDispose]()));
    }
    await expect.poll(() => existsSync(join(tiny.home, 'mine')), { timeout: 60_000 }).toBe(false);
    expect(await tiny.json('status', '--name', 'users')).toMatchObject({ phase: 'ready' });
  });

  it.each(MODES)('ends a start by cancelling its call (%j)', async (mode) => {
    await using tiny = new Tiny();
    tiny.spec('long', { top: 'after: [[sleep, "600"]]' });
    await using agent = await connect(tiny, mode, ['--control']);
    const cancel = new AbortController();
    const up = agent.call('up', { spec: './long.yaml' }, cancel.signal);
    const folder = join(tiny.home, 'long');
    await expect.poll(() => existsSync(folder), { timeout: 60_000 }).toBe(true);
    cancel.abort();
    await expect(up).rejects.toThrow();
    await expect.poll(() => existsSync(folder), { timeout: 60_000 }).toBe(false);
    expect(await agent.call('explain', { word: 'port' })).toMatchObject({ isError: false });
  });
});
