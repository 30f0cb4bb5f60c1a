import { CALLS } from '../../conformance/calls.ts';
import type { SampleChain } from '../sample-chain.ts';
import type { Trial } from './campaign.ts';
import { mutate, mutatedText } from './mutate.ts';
import type { Random } from './random.ts';

type Kind = 'parameters' | 'request' | 'text' | 'batch' | 'method' | 'valid';

/** A request to a public port. */
interface PublicCase extends Trial {
  readonly kind: Kind;
}

interface Call {
  readonly method: string;
  readonly params: unknown;
}

/** Maximum bytes of a request. Mutations may double their input, and other tests cover the servers' limits. */
const MOST_BYTES = 1024 * 1024;

/** Replacements of valid parameters: a rejected transaction, because a good one would wait for its receipt. */
const INSTEAD: Readonly<Record<string, readonly unknown[]>> = { eth_sendRawTransactionSync: ['0x02c0', 20] };

/** Returns valid calls of every method on a sample chain. */
export async function validCalls(chain: SampleChain): Promise<Call[]> {
  const calls: Call[] = [];
  for (const [method, example] of Object.entries(CALLS)) {
    const all = INSTEAD[method] === undefined ? await example.calls(chain) : [INSTEAD[method]];
    for (const params of all) calls.push({ method, params: params.map((one) => (isMade(one) ? '0x1' : one)) });
  }
  return calls;
}

/** Returns whether another call creates the filter or subscription. */
function isMade(param: unknown): boolean {
  return typeof param === 'object' && param !== null && '$made' in param;
}

/** Mutates valid calls. A seed gives the same cases. */
export class PublicCases {
  readonly #random: Random;
  readonly #calls: readonly Call[];
  /** Hashes, addresses and quantities of the calls that replace those of a field. */
  readonly #words: readonly string[];

  constructor(random: Random, calls: readonly Call[]) {
    this.#random = random;
    this.#calls = calls;
    const texts = calls.flatMap(({ params }) => JSON.stringify(params).match(/"0x[0-9a-fA-F]{1,64}"/g) ?? []);
    this.#words = [...new Set(texts.map((text) => text.slice(1, -1))), 'latest', 'pending', 'safe', 'earliest'];
  }

  next(): PublicCase {
    const random = this.#random;
    const kind = random.of<Kind>([
      'parameters',
      'parameters',
      'parameters',
      'parameters',
      'parameters',
      'parameters',
      'request',
      'text',
      'batch',
      'method',
      'valid',
    ]);
    const { method } = random.of(this.#calls);
    const call = random.of(this.#calls.filter((one) => one.method === method));
    const body = this.#body(kind, call);
    return body.length > MOST_BYTES ? this.next() : { kind, method, token: '', body };
  }

  #body(kind: Kind, call: Call): string {
    const random = this.#random;
    const request = { jsonrpc: '2.0', id: 1, ...call };
    switch (kind) {
      case 'valid':
        return JSON.stringify(request);
      case 'parameters':
        return JSON.stringify(this.#other(request));
      case 'request':
        return JSON.stringify(mutate(random, request, this.#words)) ?? '';
      case 'text':
        return mutatedText(random, JSON.stringify(request));
      case 'batch':
        return JSON.stringify(Array.from({ length: random.below(6) }, () => this.#inBatch()));
      case 'method':
        return JSON.stringify({ ...request, method: mutatedText(random, call.method) });
    }
  }

  #other(request: Call): Call {
    return { ...request, params: mutate(this.#random, request.params, this.#words) };
  }

  #inBatch(): unknown {
    const random = this.#random;
    const request = { jsonrpc: '2.0', id: random.below(1000), ...random.of(this.#calls) };
    return random.of<() => unknown>([
      () => request,
      () => this.#other(request),
      () => mutate(random, request, this.#words),
      () => ({ jsonrpc: '2.0', method: request.method, params: request.params }),
    ])();
  }
}
