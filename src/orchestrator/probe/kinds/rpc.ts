import { TransportError } from '../../../rpc/client/client.ts';
import { messageOf } from '../../../system/failure.ts';
import { clientFor } from '../call.ts';
import { expectKey, matches, planExpect } from '../expect.ts';
import { mismatch, probeKind, unreachable } from '../probe.ts';

export interface RpcProbe {
  readonly kind: 'rpc';
  readonly url: string;
  readonly method: string;
  readonly params: readonly unknown[];
  readonly expect: Readonly<Record<string, unknown>>;
  readonly jwtFile?: string;
  readonly description: string;
}

/** A JSON-RPC method gives the answer of this network's process alone: chain id, genesis hash. */
export const rpc = probeKind({
  name: 'rpc',
  written: (words) => ({
    rpc: words.withDescription(words.z.string('text'), 'URL of a JSON-RPC server'),
    method: words.withDescription(words.z.string('text'), 'the method that is called'),
    params: words.key(words.z.array(words.z.unknown()), 'its parameters'),
    expect: expectKey(words),
  }),
  plan: (
    { rpc: url, method, params = [], expect: expected, description = `answers ${method}` },
    context,
  ): RpcProbe => ({
    kind: 'rpc',
    url: context.text(url),
    method,
    params: params.map(context.value),
    expect: planExpect(expected, context),
    description,
  }),
  async check({ probe, signal, timeoutMs }) {
    try {
      const answer = await clientFor(probe.url, probe.jwtFile).call(probe.method, probe.params, { signal, timeoutMs });
      return matches(answer, probe.expect);
    } catch (error) {
      if (error instanceof TransportError)
        return error.status === undefined ? unreachable(messageOf(error)) : mismatch(messageOf(error));
      return mismatch(`${probe.method}: ${messageOf(error)}`);
    }
  },
});
