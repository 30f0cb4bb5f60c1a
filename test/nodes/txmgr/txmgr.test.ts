import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dialRpc } from '../../../src/nodes/txmgr/connect.ts';
import { type L1Backend, l1Backend } from '../../../src/nodes/txmgr/l1-backend.ts';
import { TXMGR_OPTIONS, txManagerOptions } from '../../../src/nodes/txmgr/program/options.ts';
import { type TxManager, txManager } from '../../../src/nodes/txmgr/txmgr.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { TransportError } from '../../../src/rpc/client/client.ts';
import { type OptionValues, parseOptions } from '../../../src/system/program/options.ts';
import { memoryLog, until } from '../batcher/helpers.ts';
import { ACCOUNTS, startAnvil, type TestAnvil } from '../beacon/anvil.ts';

const TO: Hex = `0x${'0b'.repeat(20)}`;
const GWEI = 1_000_000_000n;
const LINE = { name: 'sender', version: 'test', summary: '', envPrefixes: [] };
const candidate = (byte = 1) => ({ to: TO, data: Uint8Array.of(byte), what: `candidate ${byte}` });

describe('the sender', () => {
  let anvil: TestAnvil;
  let stopping: AbortController;
  let looks = 0;
  const lines: string[] = [];
  beforeEach(async () => {
    lines.length = 0;
    stopping = new AbortController();
    anvil = await startAnvil();
  });
  afterEach(async () => {
    stopping.abort();
    await anvil.kill();
  });

  /** Creates a transaction manager with default options, a short poll interval and these changes. */
  function sender(
    changes: Partial<OptionValues<typeof TXMGR_OPTIONS>> = {},
    faults: Partial<L1Backend> = {},
  ): TxManager {
    const real = l1Backend(anvil.rpc);
    const l1: L1Backend = {
      ...real,
      inclusion(hashes) {
        looks++;
        return real.inclusion(hashes);
      },
      ...faults,
    };
    const { values } = parseOptions(LINE, TXMGR_OPTIONS, [], {});
    const options = txManagerOptions({ ...values, receiptQueryInterval: 20, ...changes });
    return txManager(l1, ACCOUNTS[0]!, options, memoryLog(lines).log);
  }
  /** Waits until the transaction manager has handled the current state. */
  const looked = async () => {
    const before = looks;
    await until('the sender looked again', () => looks >= before + 3);
  };
  const mine = () => anvil.rpc.call('evm_mine');
  type Pooled = { hash: Hex; nonce: Hex; input: Hex; maxFeePerGas: Hex; maxPriorityFeePerGas: Hex };
  async function pooled(): Promise<readonly Pooled[]> {
    const { pending } = await anvil.rpc.call<{ pending: Record<string, Record<string, Pooled>> }>('txpool_content');
    return Object.values(pending).flatMap((byNonce) => Object.values(byNonce));
  }
  const first = () => until('a transaction waits', async () => (await pooled())[0]);
  const logLine = (words: string) => until(words, () => lines.find((line) => line.includes(words)));

  it.each([1, 3])('--num-confirmations=%i: is done with that many blocks from inclusion on', async (confirmations) => {
    const sent = sender({ confirmations }).send(candidate(), stopping.signal);
    await first();
    let done = false;
    const inclusion = sent.finally(() => {
      done = true;
    });
    for (let block = 1; block < confirmations; block++) {
      await mine();
      await looked();
      expect(done).toBe(false);
    }
    await mine();
    expect((await inclusion)!.blockNumber).toBe(1);
  });

  it('is idle once the last request of an aborted candidate is answered', async () => {
    const gate = Promise.withResolvers<void>();
    let sent = 0;
    const real = l1Backend(anvil.rpc);
    const account = sender(
      {},
      {
        async send(raw) {
          sent++;
          await gate.promise;
          return real.send(raw);
        },
      },
    );
    await account.idle();
    const over = account.send(candidate(), stopping.signal);
    await until('the transaction is under way', () => sent === 1);
    stopping.abort();
    let hasEnded = false;
    const idle = account.idle().then(() => {
      hasEnded = true;
    });
    await pooled();
    expect(hasEnded).toBe(false);
    gate.resolve();
    await idle;
    expect(await over).toBeUndefined();
    expect(await pooled()).toHaveLength(1);
  });

  it('sends nothing for a candidate that was aborted while its fees were read', async () => {
    const gate = Promise.withResolvers<void>();
    let asked = 0;
    const real = l1Backend(anvil.rpc);
    const account = sender(
      {},
      {
        async terms(address) {
          asked++;
          await gate.promise;
          return real.terms(address);
        },
      },
    );
    const over = account.send(candidate(), stopping.signal);
    await until('the fees are read', () => asked === 1);
    stopping.abort();
    gate.resolve();
    expect(await over).toBeUndefined();
    expect(await pooled()).toEqual([]);
    expect(lines).toEqual([]);
  });

  it('says nothing of a request of an aborted candidate that fails', async () => {
    let sent = 0;
    const send = async () => {
      sent++;
      await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve));
      throw new TransportError('http://l1.example', 'socket hang up');
    };
    const over = sender({}, { send }).send(candidate(), stopping.signal);
    await until('the transaction is under way', () => sent === 1);
    stopping.abort();
    expect(await over).toBeUndefined();
    expect(lines).toEqual([]);
  });

  it('--txmgr.min-basefee, --txmgr.min-tip-cap: the fees on an L1 with low fees', async () => {
    await anvil.rpc.call('anvil_setNextBlockBaseFeePerGas', ['0x7']);
    await mine();
    void sender({ minBaseFee: 3, minTipCap: 2 }).send(candidate(), stopping.signal);
    const { maxFeePerGas, maxPriorityFeePerGas } = await first();
    expect([BigInt(maxFeePerGas), BigInt(maxPriorityFeePerGas)]).toEqual([8n * GWEI, 2n * GWEI]);
  });

  it.each([
    [2, 0, 6n * GWEI],
    [1, 20, 20n * GWEI],
  ])(
    '--fee-limit-multiplier=%i, --txmgr.fee-limit-threshold=%i: how far fees rise',
    async (feeLimitMultiplier, feeLimitThreshold, most) => {
      void sender({ feeLimitMultiplier, feeLimitThreshold, resubmissionTimeout: 1 }).send(candidate(), stopping.signal);
      await logLine('Fees are not raised further');
      const fee = BigInt((await first()).maxFeePerGas);
      expect(fee).toBeLessThanOrEqual(most);
      expect(fee * 11n).toBeGreaterThan(most * 10n);
    },
  );

  it('--resubmission-timeout: fees stay before it', async () => {
    void sender({ resubmissionTimeout: 3_600_000 }).send(candidate(), stopping.signal);
    const { hash } = await first();
    await looked();
    expect((await first()).hash).toBe(hash);
  });

  it.each([
    [1, 2],
    [3, 1],
  ])(
    '--safe-abort-nonce-too-low-count=%i: sent %i times when L1 shows the nonce used before the receipt',
    async (safeAbortNonceTooLow, times) => {
      const real = l1Backend(anvil.rpc);
      let misses = 2;
      const sent = sender(
        { safeAbortNonceTooLow },
        {
          async inclusion(hashes) {
            const inclusion = await real.inclusion(hashes);
            return inclusion !== undefined && misses-- > 0 ? undefined : inclusion;
          },
        },
      ).send(candidate(), stopping.signal);
      await first();
      await mine();
      if (times > 1) {
        expect((await first()).nonce).toBe('0x1');
        await mine();
      }
      expect(await sent).toMatchObject({ blockNumber: times, success: true });
      expect(await real.nonce(ACCOUNTS[0]!.address)).toBe(times);
    },
  );

  it('--txmgr.send-timeout: gives up a transaction that is not included', async () => {
    const sent = sender({ sendTimeout: 100 }).send(candidate(), stopping.signal);
    await expect(sent).rejects.toMatchObject({
      code: 'l1-timeout',
      message: /did not include candidate 1 within 100 ms/,
    });
  });

  it('--txmgr.not-in-mempool-timeout: gives up a transaction that no pool accepts', async () => {
    await anvil.rpc.call('anvil_setBalance', [ACCOUNTS[0]!.address, '0x1']);
    const sent = sender({ notInMempoolTimeout: 100 }).send(candidate(), stopping.signal);
    await expect(sent).rejects.toMatchObject({ code: 'l1-timeout', message: /did not take candidate 1 within 100 ms/ });
  });

  it('tells gas, bytes and the option that bounds them when L1 refuses a transaction for its size', async () => {
    const large = { ...candidate(), gas: 30_000_001, bound: '--max-size' };
    await expect(sender().send(large, stopping.signal)).rejects.toMatchObject({
      code: 'l1-refused',
      message: 'L1 refuses candidate 1, a transaction of 30000001 gas with 1 bytes of data (--max-size bounds them)',
      data: { bytes: 1, gas: 30_000_001 },
      cause: { message: expect.stringContaining('gas_limit') },
    });
    const own = sender().send({ to: TO, data: new Uint8Array(760_000).fill(1), what: 'it' }, stopping.signal);
    await expect(own).rejects.toThrow('L1 refuses it, a transaction of 30421000 gas with 760000 bytes of data');
  });

  it('--network-timeout: how long a node may take to answer', async () => {
    const hanging = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => hanging.once('listening', resolve));
    const { port } = hanging.address() as { port: number };
    const rpc = dialRpc(`http://127.0.0.1:${port}`, 50);
    await expect(rpc.call('eth_chainId')).rejects.toThrow('no answer within 50 ms');
    rpc.close();
    hanging.close();
  });

  it('keeps the order of candidates when L1 does not answer the first', async () => {
    let failures = 2;
    const manager = sender(
      {},
      {
        async nonce(address, at) {
          if (failures-- > 0) throw new TransportError(anvil.url, 'by the test');
          return l1Backend(anvil.rpc).nonce(address, at);
        },
      },
    );
    const sent = [1, 2, 3].map((byte) => manager.send(candidate(byte), stopping.signal));
    await until('all wait', async () => (await pooled()).length === 3);
    const order = [...(await pooled())].sort((a, b) => Number(a.nonce) - Number(b.nonce)).map(({ input }) => input);
    expect(order).toEqual(['0x01', '0x02', '0x03']);
    await mine();
    expect((await Promise.all(sent)).map((inclusion) => inclusion?.success)).toEqual([true, true, true]);
  });

  it('replaces a transaction that an earlier sender left in the pool, whatever its fees', async () => {
    const before = new AbortController();
    void sender({ resubmissionTimeout: 1, feeLimitThreshold: 30 }).send(candidate(1), before.signal);
    await logLine('Fees are not raised further');
    before.abort();
    const sent = sender().send(candidate(2), stopping.signal);
    await until('it was replaced', async () => (await first()).input === '0x02');
    await mine();
    expect(await sent).toMatchObject({ success: true });
  });

  it('does not resend a transaction that L1 lacks only while it makes a block', async () => {
    // As l1-beacon does with a transaction that is held: it is out of the pool until the block is made.
    const outOfPool = async () => {
      const [{ hash }] = (await pooled()) as [Pooled];
      const raw = await anvil.rpc.call<Hex>('eth_getRawTransactionByHash', [hash]);
      await anvil.rpc.call('anvil_dropTransaction', [hash]);
      return async () => {
        await mine();
        await anvil.rpc.call('eth_sendRawTransaction', [raw]);
      };
    };
    let rounds = 0;
    const knows = async (hash: Hex) => {
      if (rounds === 3) return l1Backend(anvil.rpc).knows(hash);
      rounds++;
      const putBack = await outOfPool();
      const answer = await l1Backend(anvil.rpc).knows(hash);
      await putBack();
      return answer;
    };
    const sent = sender({}, { knows }).send(candidate(), stopping.signal);
    await until('it was away three times', () => rounds === 3);
    await looked();
    expect(lines.filter((line) => line.includes('L1 dropped'))).toEqual([]);
    await mine();
    expect(await sent).toMatchObject({ success: true });
  });

  it('resends a transaction that a reorganisation of L1 removed', async () => {
    const sent = sender({ confirmations: 3 }).send(candidate(), stopping.signal);
    await first();
    await mine();
    await until('it is included', async () => (await pooled()).length === 0);
    await anvil.rpc.call('anvil_rollback', [1]);
    await anvil.rpc.call('anvil_dropAllTransactions');
    await first();
    for (let block = 0; block < 3; block++) await mine();
    expect(await sent).toMatchObject({ success: true });
  });
});
