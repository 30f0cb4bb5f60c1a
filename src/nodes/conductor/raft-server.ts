import * as z from 'zod';
import type { RpcClient } from '../../rpc/client/client.ts';
import { httpClient } from '../../rpc/client/http-client.ts';

/** Time (ms) that an op-conductor has to answer, and to change its raft cluster. */
const SERVER_TIMEOUT_MS = 1000;
const CHANGE_TIMEOUT_MS = 10_000;

const membership = z.object({ servers: z.array(z.object({ id: z.string() })) });

/** How an op-conductor answered. */
export interface RaftServerState {
  readonly isLeader: boolean;
  readonly isPaused: boolean;
}

/** The op-conductor of one sequencer: a server of their raft cluster. */
export class RaftServer {
  readonly #rpc: RpcClient;
  /** Host and port at which the others call it. */
  readonly address: string;

  constructor(url: string, address: string) {
    this.#rpc = httpClient({ url });
    this.address = address;
  }

  /** @throws if it does not answer */
  async look(): Promise<RaftServerState> {
    const [isLeader, isPaused] = await Promise.all([
      this.#call('conductor_leader', []),
      this.#call('conductor_paused', []),
    ]);
    return { isLeader: isLeader === true, isPaused: isPaused === true };
  }

  /** Asks for the ids of the servers of its cluster. @throws if it does not answer */
  async servers(): Promise<readonly string[]> {
    const { servers } = membership.parse(await this.#call('conductor_clusterMembership', []));
    return servers.map(({ id }) => id);
  }

  /** Has the leader take another server into the cluster. @throws if it is not the leader, or cannot */
  add(id: string, { address }: RaftServer): Promise<unknown> {
    // The last one is the version of the cluster that the change is for; 0: of any.
    return this.#call('conductor_addServerAsVoter', [id, address, 0], CHANGE_TIMEOUT_MS);
  }

  /** Has the leader give the lead to another server. @throws if it is not the leader, or cannot */
  give(id: string, { address }: RaftServer): Promise<unknown> {
    return this.#call('conductor_transferLeaderToServer', [id, address], CHANGE_TIMEOUT_MS);
  }

  close(): void {
    this.#rpc.close();
  }

  #call(method: string, params: readonly unknown[], timeoutMs: number = SERVER_TIMEOUT_MS): Promise<unknown> {
    return this.#rpc.call(method, params, { timeoutMs });
  }
}
