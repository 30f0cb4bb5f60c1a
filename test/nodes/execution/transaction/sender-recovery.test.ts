import { beforeAll, describe, expect, it } from 'vitest';
import { prepareCrypto } from '../../../../src/nodes/execution/evm/crypto.ts';
import { noteAll, recoverAll } from '../../../../src/nodes/execution/transaction/recovered-senders.ts';
import { SenderRecovery } from '../../../../src/nodes/execution/transaction/sender-recovery.ts';
import { decodeTransaction } from '../../../../src/nodes/execution/transaction/transaction.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import { Sender } from '../../../bench/execution/workload.ts';
import { ACCOUNTS } from '../support/accounts.ts';

beforeAll(prepareCrypto);

const sender = new Sender();
const transfers = (count: number) => Array.from({ length: count }, (_, at) => sender.transfer(at));

/** Whether decoding takes a noted hash: that of the bytes before one of their signature's is changed. */
function isNoted(raw: Uint8Array): boolean {
  const hash = decodeTransaction(raw.slice()).hash;
  const changed = raw;
  changed[raw.length - 1] = (raw.at(-1) ?? 0) ^ 1;
  return decodeTransaction(changed).hash === hash;
}

describe('sender recovery', () => {
  it('notes hash and sender of each transaction when 256 come within a second', async () => {
    const raws = transfers(256);
    const senders = raws.map((raw) => bytesToHex(decodeTransaction(raw.slice()).sender));
    await new SenderRecovery().ahead(raws);
    expect(raws.map((raw) => bytesToHex(decodeTransaction(raw).sender))).toEqual(senders);
    expect(new Set(senders).size).toBe(ACCOUNTS.length);
    expect(raws.every(isNoted)).toBe(true);
  });

  it('starts no thread when fewer come', async () => {
    const raws = transfers(255);
    await new SenderRecovery().ahead(raws);
    expect(raws.some(isNoted)).toBe(false);
  });

  it('counts the transactions of one second together', async () => {
    const recovery = new SenderRecovery();
    const [first, second, third] = [transfers(200), transfers(200), transfers(1)];
    await Promise.all([first, second, third].map((raws) => recovery.ahead(raws)));
    expect([first, second, third].map((raws) => raws.every(isNoted))).toEqual([false, true, true]);
  });

  it('notes nothing of an invalid transaction, whose decoding names the error', () => {
    const [valid] = transfers(1) as [Uint8Array];
    const broken = withoutSender(valid);
    noteAll([broken, valid], recoverAll([broken, valid]));
    expect(() => decodeTransaction(broken)).toThrow();
    expect(isNoted(valid)).toBe(true);
  });
});

/** Returns a transaction whose r is the abscissa of no point. Half of all numbers are none. */
function withoutSender(raw: Uint8Array): Uint8Array {
  for (let byte = 1; ; byte++) {
    const changed = raw.slice().fill(byte, raw.length - 65, raw.length - 33);
    try {
      decodeTransaction(changed);
    } catch {
      return changed.slice();
    }
  }
}
