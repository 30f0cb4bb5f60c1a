import type { Outcome, Request, RpcClient } from '../../../../src/rpc/client.ts';

/** A caller that answers from a function and keeps the messages that were sent: each a list of requests. */
export interface FakeClient extends RpcClient {
  readonly messages: (readonly Request[])[];
  /** Messages under way at once, at most. */
  mostUnderWay(): number;
}

/** `answer` throws what the server would answer as an error. */
export function fakeClient(answer: (request: Request) => unknown): FakeClient {
  const messages: (readonly Request[])[] = [];
  let underWay = 0;
  let most = 0;
  const outcome = (request: Request): Outcome => {
    try {
      return { ok: true, result: answer(request) };
    } catch (error) {
      return { ok: false, error: error as Error };
    }
  };
  async function send(requests: readonly Request[]): Promise<readonly Outcome[]> {
    messages.push(requests);
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay--;
    return requests.map(outcome);
  }
  return {
    messages,
    mostUnderWay: () => most,
    async call<Result>(method: string, params: readonly unknown[] = []) {
      const [only] = await send([{ method, params }]);
      if (!only!.ok) throw only!.error;
      return only!.result as Result;
    },
    batch: send,
    close: () => {},
  };
}
