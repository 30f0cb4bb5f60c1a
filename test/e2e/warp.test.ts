import { mnemonicToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import { Home, node, rpc, type Status } from './devnet.ts';

interface Block {
  readonly number: `0x${string}`;
  readonly hash: string;
  readonly timestamp: `0x${string}`;
  readonly transactions: readonly string[];
}

interface Warped {
  readonly at: number;
  readonly complete: boolean;
  readonly blocks: Readonly<Record<string, number>>;
}

const blockAt = (url: string, number: number | string) =>
  rpc<Block>(url, 'eth_getBlockByNumber', typeof number === 'string' ? number : `0x${number.toString(16)}`, false);

async function chainOf(url: string): Promise<readonly Block[]> {
  const { number } = await blockAt(url, 'latest');
  return Promise.all(Array.from({ length: Number(number) + 1 }, (_, at) => blockAt(url, at)));
}

const SLOT = 10;

/** Ten minutes between genesis and the fork, in slots of ten seconds. */
const FAR = {
  l1: { blockTime: SLOT },
  chains: { main: { blockTime: SLOT, forks: { base: 'holocene', isthmus: '+10m' } } },
};

it('devnet warp skips nothing up to a fork and past it, all heads follow, and pause and resume work', async () => {
  await using home = new Home();
  const status = await home.up(home.spec('far', FAR));
  const l2 = node(status, 'sequencer').el.http;
  const verifier = node(status, 'verifier').el.http;

  expect(await home.json<Warped>('warp', '--to', 'fork:isthmus')).toMatchObject({
    complete: true,
    blocks: { l1: 59, main: 59 },
  });
  expect(await home.devnet('pause')).toMatchObject({ code: 0 });
  const before = await home.json<readonly { fork: string; secondsToGo: number }[]>('forks');
  expect(before.find(({ fork }) => fork === 'isthmus')?.secondsToGo).toBeGreaterThan(0);
  expect(await home.json<Warped>('warp', '--to', 'fork:isthmus', '--past')).toMatchObject({
    blocks: { l1: 60, main: 60 },
  });

  for (const url of [status.l1.rpc, l2]) {
    const blocks = await chainOf(url);
    const [genesis] = blocks;
    expect(blocks.map(({ timestamp }) => Number(timestamp) - Number(genesis!.timestamp))).toEqual(
      blocks.map((_, at) => at * SLOT),
    );
  }
  const hashes = (await chainOf(l2)).map(({ hash }) => hash);
  // On a busy machine gossip can take longer than a warp waits for it.
  await expect.poll(async () => (await chainOf(verifier)).map(({ hash }) => hash)).toEqual(hashes);
  for (const label of ['safe', 'finalized'])
    await expect.poll(async () => Number((await blockAt(verifier, label)).number)).toBeGreaterThan(50);
  await home.agrees();

  // Paused: that is no problem.
  const paused = () => home.json<Status & { problems: readonly unknown[] }>('status');
  await expect.poll(paused).toMatchObject({ phase: 'ready', problems: [] });
  expect(await home.devnet('warp', '--to', 'block:3')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('a warp goes forward only'),
  });

  // The test methods of L1 move the whole network; on L2 they are refused with that hint.
  const l1Head = async () => Number((await blockAt(status.l1.rpc, 'latest')).number);
  const [l1Before, l2Before] = [await l1Head(), Number((await blockAt(l2, 'latest')).number)];
  await rpc(status.l1.rpc, 'evm_increaseTime', SLOT);
  await rpc(status.l1.rpc, 'hardhat_mine', '0x2');
  await rpc(status.l1.rpc, 'evm_mine');
  expect([await l1Head(), Number((await blockAt(l2, 'latest')).number)]).toEqual([l1Before + 4, l2Before + 4]);
  await expect(rpc(status.l1.rpc, 'evm_setNextBlockTimestamp', 1)).rejects.toThrow('a warp goes forward only');
  await expect(rpc(verifier, 'evm_increaseTime', 1)).rejects.toThrow('devnet warp');

  // Two at once: the second is refused. An interrupt ends the first at a slot's end.
  const from = await l1Head();
  const long = home.start('warp', '+10h');
  let printed = '';
  long.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const exit = new Promise<number | null>((done) => long.on('close', done));
  await expect.poll(l1Head).toBeGreaterThan(from);
  expect((await home.devnet('warp', '+1h')).stderr).toContain('is under way');
  long.kill('SIGINT');
  expect(await exit).toBe(130);
  expect(printed).toMatch(/^ended before .*: warped \d.* in .* main at block \d+/);

  // A warp whose command is killed ends at its slot's end too.
  const here = await l1Head();
  const killed = home.start('warp', '+10h');
  await expect.poll(l1Head).toBeGreaterThan(here);
  killed.kill('SIGKILL');
  const mined = () => rpc(status.l1.rpc, 'evm_mine').then(String, String);
  await expect.poll(mined).not.toContain('is under way');

  expect(await home.devnet('resume')).toMatchObject({ code: 0 });
  const { number } = await blockAt(l2, 'latest');
  expect(await home.devnet('wait', `block:${Number(number) + 1}`)).toMatchObject({ code: 0 });
});

const ACCOUNTS = [5, 6, 7].map((addressIndex) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex }),
);

/** Sends transactions of several accounts at once, in any order. */
async function burst(url: string, chainId: number, round: number): Promise<void> {
  await Promise.all(
    ACCOUNTS.map(async (account) => {
      const nonce = Number(await rpc<string>(url, 'eth_getTransactionCount', account.address, 'latest'));
      const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n };
      const to = ACCOUNTS[round % ACCOUNTS.length]!.address;
      for (const next of [nonce, nonce + 1]) {
        const transaction = { type: 'eip1559', chainId, nonce: next, to, value: 1n, gas: 21_000n, ...fees } as const;
        await rpc(url, 'eth_sendRawTransaction', await account.signTransaction(transaction));
      }
    }),
  );
}

it('a stepped clock gives equal blocks on L1 and L2 in each run', async () => {
  const run = async (after: (home: Home) => Promise<void> = async () => {}) => {
    await using home = new Home();
    const status = await home.up(
      home.spec('stepped', { time: { clock: 'stepped', genesis: 1_795_345_636 }, chains: { main: { blockTime: 1 } } }),
    );
    const l2 = node(status, 'sequencer').el.http;
    for (const round of [0, 1]) {
      await Promise.all([burst(l2, 901, round), burst(status.l1.rpc, 900, round)]);
      expect(await home.devnet('warp', '+4s')).toMatchObject({ code: 0 });
    }
    expect(await home.devnet('wait', 'safe:8')).toMatchObject({ code: 0 });
    const chains = { l1: await chainOf(status.l1.rpc), l2: await chainOf(l2) };
    expect(chains.l2.some(({ transactions }) => transactions.length === 7)).toBe(true);
    await after(home);
    return Object.values(chains).map((blocks) => blocks.map(({ number, hash }) => `${Number(number)} ${hash}`));
  };
  // Commands that wait for their transactions move the clock.
  const commands = async (home: Home) => {
    const to = ACCOUNTS[0]!.address;
    expect(await home.json('load', '--count', '3')).toMatchObject({ sent: 3, included: 3, missing: 0 });
    expect(await home.json('fund', to, '1ether')).toMatchObject({ address: to });
    expect(await home.json('deposit', to)).toMatchObject({ l2: { status: 'success' } });
  };
  expect(await run()).toEqual(await run(commands));
});

it('an instant clock makes a block for each transaction, at the usual block time', async () => {
  await using home = new Home();
  const status = await home.up(
    home.spec('instant', { time: { clock: 'instant' }, l1: { blockTime: 60 }, chains: { main: { blockTime: 60 } } }),
  );
  const l2 = node(status, 'sequencer').el.http;
  const [account] = ACCOUNTS;
  for (const nonce of [0, 1, 2]) {
    const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n };
    const transaction = {
      type: 'eip1559',
      chainId: 901,
      nonce,
      to: account!.address,
      value: 1n,
      gas: 21_000n,
      ...fees,
    } as const;
    const hash = await rpc<string>(
      l2,
      'eth_sendRawTransactionSync',
      await account!.signTransaction(transaction),
      50_000,
    );
    expect(hash).toMatchObject({ status: '0x1' });
  }
  const blocks = await chainOf(l2);
  expect(blocks.map(({ timestamp }) => Number(timestamp) - Number(blocks[0]!.timestamp))).toEqual(
    blocks.map((_, at) => at * 60),
  );
  expect(Number(blocks.at(-1)!.timestamp)).toBeGreaterThan(Date.now() / 1000);
});
