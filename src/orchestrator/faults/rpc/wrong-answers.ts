import { isJsonObject, jsonField } from '../../../rpc/json-object.ts';

/** Returns a receipt that its block does not have: without its last log, or with the other status. */
export function wrongReceipt(receipt: unknown): unknown {
  // The consensus encoding of a receipt ends with its logs.
  if (typeof receipt === 'string') return otherLastByte(receipt);
  if (!isJsonObject(receipt)) return receipt;
  const { logs } = receipt;
  if (Array.isArray(logs) && logs.length > 0) return { ...receipt, logs: logs.slice(0, -1) };
  return { ...receipt, status: receipt['status'] === '0x1' ? '0x0' : '0x1' };
}

/** Returns the answer with one wrong receipt in it. An answer without a receipt stays. */
export function wrongReceipts(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map((each, at) => (at === answer.length - 1 ? wrongReceipt(each) : each));
  const list = jsonField(answer, 'receipts');
  if (isJsonObject(answer) && Array.isArray(list)) return { ...answer, receipts: wrongReceipts(list) };
  return wrongReceipt(answer);
}

/** Returns the answer of a beacon node without its last blob. An answer without a blob stays. */
export function withoutBlob(answer: unknown): unknown {
  const data = jsonField(answer, 'data');
  return isJsonObject(answer) && Array.isArray(data) ? { ...answer, data: data.slice(0, -1) } : answer;
}

/** Answers of a server by request: the first answer to each stays. */
export class StaleAnswers<Answer = unknown> {
  readonly #answers = new Map<string, Promise<Answer>>();

  /** Returns the first answer to a request. One that failed is asked for again. */
  to(request: string, ask: () => Promise<Answer>): Promise<Answer> {
    const before = this.#answers.get(request);
    if (before !== undefined) return before;
    const answer = ask();
    this.#answers.set(request, answer);
    answer.catch(() => this.#answers.delete(request));
    return answer;
  }
}

function otherLastByte(hex: string): string {
  const last = Number.parseInt(hex.slice(-2), 16);
  return Number.isNaN(last) ? hex : `${hex.slice(0, -2)}${(last ^ 1).toString(16).padStart(2, '0')}`;
}
