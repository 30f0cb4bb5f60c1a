import { describe, expect, it } from 'vitest';
import { checkAltDa, storeOn } from '../../../src/nodes/batcher/alt-da.ts';
import { type DaCommitment, keccakCommitment } from '../../../src/protocol/derivation/da-commitment.ts';
import type { Rollup } from '../../../src/protocol/derivation/ports.ts';
import { rollupOf } from '../../../src/protocol/derivation/rollup.ts';
import type { RollupConfig } from '../../../src/protocol/types.ts';
import { standaloneChannel } from '../../../src/system/channel/channel.ts';
import { createLogger } from '../../../src/system/program/log.ts';

const WINDOWS = { da_challenge_window: 10, da_resolve_window: 10 };
const data = Uint8Array.of(1, 2, 3);

/** A logger, and the lines that it wrote. */
function logging() {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  return { lines, log: createLogger({ level: 'debug', format: 'text', color: false, pid: false, write }) };
}

describe('storing on a DA server', () => {
  it('returns the transaction data of the commitment', async () => {
    const { log } = logging();
    const store = storeOn(async (input) => keccakCommitment(input), 1, log, standaloneChannel());
    const { encoded } = keccakCommitment(data);
    expect(Buffer.from(await store(data, new AbortController().signal)).toString('hex')).toBe(`01${encoded.slice(2)}`);
  });

  it('is work of the present time until the server has the data, and not between two attempts', async () => {
    const { log } = logging();
    const events: string[] = [];
    const activity = { busy: () => void events.push('busy'), idle: () => void events.push('idle') };
    const put = async (input: Uint8Array) => {
      events.push('put');
      if (events.filter((event) => event === 'put').length === 1) throw new Error('away');
      return keccakCommitment(input);
    };
    const clock = { ...standaloneChannel(), activity: () => activity };
    await storeOn(put, 1, log, clock)(data, new AbortController().signal);
    expect(events).toEqual(['busy', 'put', 'idle', 'busy', 'put', 'idle']);
  });

  it('is tried again until the server takes the data, and warns once', async () => {
    const { log, lines } = logging();
    let attempts = 0;
    const put = async (input: Uint8Array) => {
      if (++attempts < 3) throw new Error('away');
      return keccakCommitment(input);
    };
    await storeOn(put, 1, log, standaloneChannel())(data, new AbortController().signal);
    expect(attempts).toBe(3);
    expect(lines.filter((line) => /warn/i.test(line))).toEqual([expect.stringContaining('away')]);
    expect(lines.some((line) => line.includes(keccakCommitment(data).encoded) && line.includes('bytes=3'))).toBe(true);
  });

  it('ends without an attempt when it is aborted, also between two attempts', async () => {
    const { log } = logging();
    let attempts = 0;
    const abort = new AbortController();
    const store = storeOn(
      async () => {
        attempts++;
        abort.abort();
        throw new Error('away');
      },
      1,
      log,
      standaloneChannel(),
    );
    await expect(store(data, abort.signal)).rejects.toThrow('aborted');
    await expect(store(data, abort.signal)).rejects.toThrow('aborted');
    expect(attempts).toBe(1);
  });

  it('has at most its number of requests under way, and goes on after one failed', async () => {
    const { log } = logging();
    const waiting: PromiseWithResolvers<DaCommitment>[] = [];
    const put = () => {
      const request = Promise.withResolvers<DaCommitment>();
      waiting.push(request);
      return request.promise;
    };
    const store = storeOn(put, 2, log, standaloneChannel());
    const abort = new AbortController();
    const [first, second, third] = [abort.signal, ...[1, 2].map(() => new AbortController().signal)].map((signal) =>
      store(data, signal!),
    );
    await expect.poll(() => waiting.length).toBe(2);
    const failed = expect(first).rejects.toThrow('aborted');
    abort.abort();
    waiting[0]!.reject(new Error('away'));
    await failed;
    await expect.poll(() => waiting.length).toBe(3);
    for (const request of waiting) request.resolve(keccakCommitment(data));
    await Promise.all([second, third]);
  });
});

describe('the kind of commitments', () => {
  const rollup = (alt_da?: object): Rollup =>
    rollupOf({ genesis: { l2_time: 0 }, ...(alt_da && { alt_da }) } as unknown as RollupConfig, { schedule: {} });
  const keccak = rollup({ da_commitment_type: 'KeccakCommitment', ...WINDOWS });
  const generic = rollup({ da_commitment_type: 'GenericCommitment', ...WINDOWS });

  it('is that of the rollup', () => {
    expect(() => checkAltDa(keccak, false)).not.toThrow();
    expect(() => checkAltDa(generic, true)).not.toThrow();
  });

  it.each([
    ['the rollup has none', rollup(), false, 'the rollup has no alt_da'],
    ['the server makes hashes', generic, false, '--altda.da-service is false, but'],
    ['the rollup reads hashes', keccak, true, 'of type KeccakCommitment'],
  ])('is refused when %s', (_, of, isService, words) => {
    let failure: unknown;
    try {
      checkAltDa(of, isService);
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({ code: 'alt-da', exit: 2, message: expect.stringContaining(words) });
  });
});
