import type { LocalAccount } from 'viem';
import type { Hex } from '../../../../src/protocol/types.ts';

interface Call {
  readonly method: string;
  readonly params?: readonly unknown[];
}

type Fields = Readonly<Record<string, Hex | undefined>>;

/** A browser page's fetch by the Fetch standard: with a preflight, and without access to closed responses. */
class PageFetch {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  #isCleared = false;

  constructor(url: string, origin: string) {
    this.#url = url;
    this.#headers = {
      origin,
      referer: `${origin}/`,
      accept: '*/*',
      'accept-language': 'en-US,en;q=0.9',
      'sec-fetch-mode': 'cors',
      'sec-fetch-site': 'cross-site',
      'user-agent':
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    };
  }

  async post(body: unknown): Promise<unknown> {
    if (!this.#isCleared) await this.#preflight();
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { ...this.#headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    this.#check(response);
    return response.json();
  }

  async #preflight(): Promise<void> {
    const request = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
    const response = await fetch(this.#url, { method: 'OPTIONS', headers: { ...this.#headers, ...request } });
    this.#check(response);
    const allowed = response.headers
      .get('access-control-allow-headers')
      ?.split(',')
      .map((name) => name.trim());
    if (!response.ok || !allowed?.includes('content-type')) throw new TypeError('Failed to fetch: preflight');
    this.#isCleared = true;
  }

  #check({ headers }: Response): void {
    const allowed = headers.get('access-control-allow-origin');
    if (allowed !== '*' && allowed !== this.#headers['origin']) throw new TypeError('Failed to fetch: CORS');
  }
}

/** A browser wallet (EIP-1193): holds a key, fills and signs transactions, and forwards other requests. */
export class BrowserWallet {
  readonly #page: PageFetch;
  readonly #account: LocalAccount;
  #id = 4_172_846_310;

  constructor(url: string, origin: string, account: LocalAccount) {
    this.#page = new PageFetch(url, origin);
    this.#account = account;
  }

  async request({ method, params = [] }: Call): Promise<unknown> {
    switch (method) {
      case 'eth_requestAccounts':
      case 'eth_accounts':
        return [this.#account.address.toLowerCase()];
      case 'wallet_switchEthereumChain':
        if ((params[0] as { chainId: Hex }).chainId !== (await this.#ask('eth_chainId')))
          throw Object.assign(new Error('Unrecognized chain ID'), { code: 4902 });
        return null;
      case 'personal_sign':
        return this.#account.signMessage({ message: { raw: params[0] as Hex } });
      case 'eth_sendTransaction':
        return this.#send(params[0] as Fields);
      default:
        return this.#ask(method, ...params);
    }
  }

  on(): void {}
  removeListener(): void {}

  /** Fills a transaction as the wallet does before it asks its user, then sends it. */
  async #send(fields: Fields): Promise<unknown> {
    const from = this.#account.address.toLowerCase();
    const call = {
      from,
      ...(fields['to'] && { to: fields['to'] }),
      value: fields['value'] ?? '0x0',
      data: fields['data'] ?? '0x',
    };
    const [chainId, , block] = (await this.#batch([
      { method: 'eth_chainId' },
      { method: 'net_version' },
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_getBalance', params: [from, 'latest'] },
      ...(fields['to'] ? [{ method: 'eth_getCode', params: [fields['to'], 'latest'] }] : []),
    ])) as [Hex, string, { gasLimit: Hex }];
    const history = (await this.#ask('eth_feeHistory', '0x5', 'latest', [10, 20, 30])) as { baseFeePerGas: Hex[] };
    const gas = (await this.#ask('eth_estimateGas', call)) as Hex;
    const nonce = (await this.#ask('eth_getTransactionCount', from, 'pending')) as Hex;
    const tip = BigInt((await this.#ask('eth_maxPriorityFeePerGas')) as Hex);
    const raw = await this.#account.signTransaction({
      type: 'eip1559',
      chainId: Number(chainId),
      nonce: Number(nonce),
      gas: (BigInt(gas) * 3n) / 2n > BigInt(block.gasLimit) ? BigInt(block.gasLimit) : (BigInt(gas) * 3n) / 2n,
      maxPriorityFeePerGas: tip,
      maxFeePerGas: 2n * BigInt(history.baseFeePerGas.at(-1)!) + tip,
      to: fields['to'] ?? null,
      value: BigInt(call.value),
      data: call.data,
    });
    return this.#ask('eth_sendRawTransaction', raw);
  }

  async #ask(method: string, ...params: unknown[]): Promise<unknown> {
    const request = { id: this.#id++, jsonrpc: '2.0', method, params };
    return resultOf((await this.#page.post(request)) as Answer, request.id);
  }

  async #batch(calls: readonly Call[]): Promise<unknown[]> {
    const requests = calls.map((call) => ({ id: this.#id++, jsonrpc: '2.0', params: [], ...call }));
    const answers = (await this.#page.post(requests)) as Answer[];
    return requests.map(({ id }) => resultOf(answers.find((answer) => answer.id === id)!, id));
  }
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

function resultOf({ id, result, error }: Answer, requestId: number): unknown {
  if (id !== requestId) throw new Error(`an answer to ${id}, not to ${requestId}`);
  if (error !== undefined) throw Object.assign(new Error(error.message), error);
  return result;
}
