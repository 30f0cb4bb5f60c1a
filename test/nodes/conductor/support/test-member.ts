import * as z from 'zod';
import { envelopeFromJson } from '../../../../src/protocol/codec/payload-json.ts';
import { RPC_CODE, RpcError } from '../../../../src/rpc/error.ts';
import { type MethodTable, method } from '../../../../src/rpc/method.ts';
import { type RunningServer, serve } from '../../../../src/rpc/server/server.ts';
import { GENESIS, hashOf, type TestBlock, timeOf } from './blocks.ts';

/** A rollup node and an execution client behind one real port, with the chain that a test gives them. */
export class TestMember implements AsyncDisposable {
  readonly name: string;
  /** The blocks of its chain from genesis on, and all that it has ever had. */
  chain: TestBlock[] = [GENESIS];
  readonly known: TestBlock[] = [GENESIS];
  safe = 0;
  isActive = false;
  /** Why it does not start; undefined: it starts. */
  refusal: string | undefined;
  readonly pool: string[] = [];
  readonly refusedTransactions = new Set<string>();
  /** Calls that change it, in their order. */
  readonly calls: string[] = [];
  #server: RunningServer | undefined;
  #port = 0;

  constructor(name: string) {
    this.name = name;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get head(): TestBlock {
    return this.chain.at(-1) ?? GENESIS;
  }

  /** Listens, at the same port as before if it has had one. */
  async open(): Promise<this> {
    const address = { host: '127.0.0.1', port: this.#port, http: true, websocket: false };
    this.#server = await serve({ ...address, methods: METHODS, context: this });
    this.#port = this.#server.port;
    return this;
  }

  /** Ends its server: it answers no more. */
  async close(): Promise<void> {
    await this.#server?.close();
    this.#server = undefined;
  }

  /** Puts its chain in place: what derivation and L1 leave of it. */
  has(...chain: readonly TestBlock[]): void {
    this.chain = [GENESIS, ...chain];
    this.known.push(...chain);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

type Of = TestMember;
const none = z.tuple([]);
const blockJson = (block: TestBlock | undefined) =>
  block === undefined ? null : { ...block, timestamp: timeOf(block) };

const METHODS: MethodTable<TestMember> = {
  admin_sequencerActive: method('', none, ({ isActive }: Of) => isActive),
  admin_stopSequencer: method('', none, (of: Of) => {
    if (!of.isActive) throw new RpcError(RPC_CODE.server, 'sequencer not running');
    of.isActive = false;
    of.calls.push('stop');
    return of.head.hash;
  }),
  admin_startSequencer: method('', z.tuple([z.string()]), (of: Of, [head]) => {
    if (of.refusal !== undefined) throw new RpcError(RPC_CODE.server, of.refusal);
    if (head !== of.head.hash) throw new RpcError(RPC_CODE.server, 'block hash does not match');
    of.isActive = true;
    of.calls.push(`start ${of.head.number}`);
    return null;
  }),
  admin_postUnsafePayload: method('', z.tuple([z.unknown()]), (of: Of, [envelope]) => {
    const { blockNumber, blockHash, parentHash } = envelopeFromJson(envelope).executionPayload;
    of.calls.push(`post ${blockNumber}`);
    if (parentHash === of.head.hash) of.has(...of.chain.slice(1), { number: blockNumber, hash: blockHash, parentHash });
    return null;
  }),
  optimism_syncStatus: method('', none, (of: Of) => ({
    unsafe_l2: blockJson(of.head),
    safe_l2: blockJson(of.chain[of.safe]),
  })),
  eth_sendRawTransaction: method('', z.tuple([z.string()]), (of: Of, [raw]) => {
    if (of.refusedTransactions.has(raw)) throw new RpcError(RPC_CODE.server, 'nonce too low');
    of.pool.push(raw);
    return hashOf('e');
  }),
  eth_blockNumber: method('', none, ({ head }: Of) => `0x${head.number.toString(16)}`),
  eth_getBlockByNumber: method('', z.tuple([z.string(), z.boolean()]), ({ chain }: Of, [number]) =>
    blockJson(chain[Number(number)]),
  ),
  eth_getBlockByHash: method('', z.tuple([z.string(), z.boolean()]), ({ known }: Of, [hash]) =>
    blockJson(known.find((block) => block.hash === hash)),
  ),
};
