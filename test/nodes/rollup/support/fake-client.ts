import type { Outcome, Request, RpcClient } from '../../../../src/rpc/client/client.ts';

/** An RPC client that answers from a function and records messages, each a list of requests. */
export interface FakeClient extends RpcClient {
  readonly messages: (readonly Request[])[];
  /** The largest number of concurrent messages. */
  mostUnderWay(): number;
}

/** `answer` throws the server's error. */
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
    batch: async <Result>(requests: readonly Request[]) => (await send(requests)) as readonly Outcome<Result>[],
    close: () => {},
  };
}
