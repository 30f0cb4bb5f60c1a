import { afterEach, describe, expect, it } from 'vitest';
import { TransactionSubmission } from '../../../../src/nodes/execution/pool/submission.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { RpcError } from '../../../../src/rpc/error.ts';
import { createLogger } from '../../../../src/system/program/log.ts';
import { recording } from '../../../rpc/client/server.ts';
import { headOf, poolOf, transfer } from '../support/pool.ts';

const RAW: Hex = '0x0203';
const CONDITION = {
  knownAccounts: new Map(),
  blockNumberMin: undefined,
  blockNumberMax: 9n,
  timestampMin: undefined,
  timestampMax: undefined,
};
const JSON_CONDITION = { blockNumberMax: '0x9' };
const ACCEPTED = { result: '0x01' };
/** Not accepted by the go client: it has no tip. */
const untipped = () => transfer(1, 0, { maxPriorityFeePerGas: 0n });

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

interface Options {
  readonly sequencer?: string;
  readonly admission?: boolean;
  readonly patience?: number;
  readonly pool?: Parameters<typeof poolOf>[1];
}

function submitting(flavour: 'go' | 'rust', { pool: of, admission = false, ...options }: Options = {}) {
  const { pool } = poolOf(flavour, of);
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const log = createLogger({ level: 'info', format: 'text', color: false, pid: false, write });
  const submission = new TransactionSubmission(pool, { admission, ...options }, log);
  open.push(submission);
  return { pool, submission, lines };
}

/** A sequencer that gives each request the same answer. */
const sequencing = (answer: object) =>
  recording((body, response) => {
    const { id } = JSON.parse(body) as { id: number };
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
const callsOf = (requests: readonly { readonly body: string }[]) =>
  requests.map(({ body }) => {
    const { method, params } = JSON.parse(body) as { method: string; params: unknown };
    return [method, params];
  });

describe('a transaction that is sent to a sequencer', () => {
  it('enters the pool, with its condition if it has one', async () => {
    const { pool, submission } = submitting('go');
    const [plain, conditional] = [transfer(1, 0), transfer(2, 0)];
    expect(await submission.send(plain, RAW)).toBe(plain.hash);
    expect(await submission.sendConditional(conditional, RAW, CONDITION, JSON_CONDITION)).toBe(conditional.hash);
    expect(pool.entries().map(({ transaction, local, condition }) => [transaction, local, condition])).toEqual([
      [plain, true, undefined],
      [conditional, true, CONDITION],
    ]);
  });

  it.each([
    ['go', { code: -32_000, message: 'nonce too low: next nonce 3, tx nonce 2' }],
    ['rust', { code: -32_000, message: 'nonce too low: next nonce 3, tx nonce 2' }],
  ] as const)('is refused in the words of the %s client', async (flavour, error) => {
    const { submission, pool } = submitting(flavour, { pool: { view: headOf({ 1: { nonce: 3 } }) } });
    const sent = [
      submission.send(transfer(1, 2), RAW),
      submission.sendConditional(transfer(1, 2), RAW, CONDITION, JSON_CONDITION),
    ];
    for (const one of sent) {
      await expect(one).rejects.toBeInstanceOf(RpcError);
      await expect(one).rejects.toMatchObject(error);
    }
    expect(pool.size).toBe(0);
  });

  it('ends with an error of the state as it is', async () => {
    const view = headOf(
      {},
      {
        nonce: () => {
          throw new Error('no state');
        },
      },
    );
    await expect(submitting('go', { pool: { view } }).submission.send(transfer(1, 0), RAW)).rejects.toThrow('no state');
  });
});

describe('a transaction that is sent to a verifier', () => {
  it.each([true, false])('is forwarded, and kept when the option says %s', async (admission) => {
    await using server = await sequencing(ACCEPTED);
    const { submission, pool } = submitting('go', { sequencer: server.url, admission });
    const transaction = transfer(1, 0);
    expect(await submission.send(transaction, RAW)).toBe(transaction.hash);
    expect(callsOf(server.requests)).toEqual([['eth_sendRawTransaction', [RAW]]]);
    expect(pool.entries().map((entry) => entry.transaction)).toEqual(admission ? [transaction] : []);
  });

  it('is forwarded with its condition, and not kept', async () => {
    await using server = await sequencing(ACCEPTED);
    const { submission, pool } = submitting('go', { sequencer: server.url, admission: true });
    const transaction = transfer(1, 0);
    expect(await submission.sendConditional(transaction, RAW, CONDITION, JSON_CONDITION)).toBe(transaction.hash);
    expect(callsOf(server.requests)).toEqual([['eth_sendRawTransactionConditional', [RAW, JSON_CONDITION]]]);
    expect(pool.size).toBe(0);
  });

  it('is refused before it is forwarded when no sequencer would take it', async () => {
    await using server = await sequencing(ACCEPTED);
    const { submission } = submitting('go', { sequencer: server.url });
    const unprotected = transfer(1, 0, { type: 0, chainId: undefined });
    const sent = [
      submission.send(unprotected, RAW),
      submission.sendConditional(unprotected, RAW, CONDITION, JSON_CONDITION),
    ];
    for (const one of sent) await expect(one).rejects.toThrow('replay-protected');
    expect(server.requests).toEqual([]);
  });

  it('has the error of the sequencer, and is not kept', async () => {
    await using server = await sequencing({ error: { code: -7, message: 'own words', data: { at: 1 } } });
    const { submission, pool } = submitting('go', { sequencer: server.url, admission: true });
    await expect(submission.send(transfer(1, 0), RAW)).rejects.toMatchObject({
      ...{ name: 'RpcError', code: -7, message: 'own words', data: { at: 1 } },
    });
    expect(pool.size).toBe(0);
  });

  it.each([
    ['go', -32_000],
    ['rust', -32_603],
  ] as const)('has the error %s of a client that cannot reach the sequencer', async (flavour, code) => {
    await using silent = await recording(() => undefined);
    const { submission } = submitting(flavour, { sequencer: silent.url, patience: 50 });
    const sent = submission.send(transfer(1, 0), RAW);
    await expect(sent).rejects.toBeInstanceOf(RpcError);
    await expect(sent).rejects.toMatchObject({ code, message: expect.stringContaining('no answer within 50 ms') });
  });

  it('succeeds, with a warning, when the pool of the verifier does not take what the sequencer took', async () => {
    await using server = await sequencing(ACCEPTED);
    const { submission, pool, lines } = submitting('go', { sequencer: server.url, admission: true });
    const transaction = untipped();
    expect(await submission.send(transaction, RAW)).toBe(transaction.hash);
    expect(pool.size).toBe(0);
    expect(lines).toEqual([expect.stringMatching(new RegExp(`warn.*${transaction.hash}.*gas tip cap 0`, 'is'))]);
  });

  it('ends with an error of the verifier’s state as it is', async () => {
    await using server = await sequencing(ACCEPTED);
    const view = headOf(
      {},
      {
        nonce: () => {
          throw new Error('no state');
        },
      },
    );
    const { submission } = submitting('go', { sequencer: server.url, admission: true, pool: { view } });
    await expect(submission.send(transfer(1, 0), RAW)).rejects.toThrow('no state');
    expect(server.requests).toHaveLength(1);
  });

  it('uses no connection of a submission that is closed', async () => {
    await using server = await sequencing(ACCEPTED);
    const { submission } = submitting('go', { sequencer: server.url });
    await submission.send(transfer(1, 0), RAW);
    expect(await server.connections()).toBe(1);
    submission.close();
    await expect.poll(() => server.connections()).toBe(0);
  });
});
