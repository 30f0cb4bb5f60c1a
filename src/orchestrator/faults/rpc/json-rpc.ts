import { isRead } from '../../../rpc/client/reads.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { interceptor } from '../../../rpc/gateway/gateway.ts';
import type { GatewayCall, GatewayMethod } from '../../../rpc/gateway/methods.ts';
import type { RpcFault } from '../../state/faults.ts';
import type { InterceptedServer, Interceptor } from './interceptor.ts';
import { StaleAnswers, wrongReceipts } from './wrong-answers.ts';

/** Bytes of a request: a block's blobs with their proofs in hex. */
const MAX_INTERCEPTED_BYTES = 64 * 1024 * 1024;

/** Serves the connections of a link to a JSON-RPC server with wrong answers of some methods. Others pass unchanged. */
export function interceptJsonRpc({ url, name, healed }: InterceptedServer, faults: readonly RpcFault[]): Interceptor {
  return interceptor({
    target: url,
    targetName: name,
    virtualHosts: ['*'],
    methods: Object.fromEntries(faults.map((fault) => [fault.method, wrongMethod(fault, healed)])),
    isRead,
    maxBody: MAX_INTERCEPTED_BYTES,
    maxHeld: 4 * MAX_INTERCEPTED_BYTES,
  });
}

/** Returns what answers a method as the fault wants it. `healed`: aborted when the fault is over. */
function wrongMethod({ id, answer, at }: RpcFault, healed: AbortSignal): GatewayMethod {
  const stale = new StaleAnswers();
  const refuse = ({ method }: GatewayCall) => {
    throw new RpcError(RPC_CODE.server, `fault ${id}: ${method} is answered with an error`);
  };
  return async (call) => {
    const { method, params, pass } = call;
    switch (answer) {
      case 'error':
        return refuse(call);
      case 'timeout':
        await new Promise((resolve) => healed.addEventListener('abort', resolve, { once: true }));
        return refuse(call);
      case 'wrong-receipt':
        return wrongReceipts(await pass(method, params));
      default: {
        const [tag, ...rest] = params;
        const number = typeof tag === 'string' ? at?.[tag] : undefined;
        if (number !== undefined) return pass(method, [number, ...rest]);
        return at === undefined ? stale.to(JSON.stringify(params), () => pass(method, params)) : pass(method, params);
      }
    }
  };
}
