import type { RpcClient } from '../../src/rpc/client/client.ts';
import { httpClient } from '../../src/rpc/client/http-client.ts';
import type { HttpClientOptions } from '../../src/rpc/client/http-exchange.ts';

/** Creates a client that waits for a busy machine: its limit is for what hangs. */
export const patientClient = (options: HttpClientOptions): RpcClient => httpClient({ timeoutMs: 120_000, ...options });
