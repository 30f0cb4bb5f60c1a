import type { RpcFault } from '../../state/faults.ts';
import { interceptBeacon } from './beacon.ts';
import type { InterceptedServer, Interceptor } from './interceptor.ts';
import { interceptJsonRpc } from './json-rpc.ts';

/** Serves the connections of a link with wrong answers. */
export function intercept(
  server: InterceptedServer & { readonly isBeacon: boolean },
  faults: readonly RpcFault[],
): Interceptor {
  return server.isBeacon ? interceptBeacon(server, faults) : interceptJsonRpc(server, faults);
}
