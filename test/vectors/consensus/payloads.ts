import { openChain } from '../../../src/nodes/execution/chain/datadir.ts';
import { FLAVOURS } from '../../../src/nodes/execution/flavours/index.ts';
import { startNode } from '../../../src/nodes/execution/node.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { httpClient } from '../../../src/rpc/client/http-client.ts';
import { RpcError } from '../../../src/rpc/error.ts';
import { createLogger } from '../../../src/system/program/log.ts';
import { JWT } from '../../nodes/execution/support/nodes.ts';
import { Disagreement } from '../outcome.ts';
import { genesisOf, type PayloadFixture } from './fixture.ts';
import { inFolder } from './folder.ts';

interface Status {
  readonly status: string;
  readonly validationError?: string | null;
}

const FLAVOUR = FLAVOURS.go;
/** The error code of malformed requests. Fixtures name none, and all clients give this one. */
const REQUESTS = 'INVALID_REQUESTS';
const MALFORMED = '-32602';

/** Sends the payloads of a test to a node over its Engine API. @throws Disagreement, NotApplicable */
export function runPayloads(fixture: PayloadFixture): Promise<void> {
  return inFolder(genesisOf(fixture), async (genesis, datadir) => {
    const node = await startNode({
      chain: openChain({ datadir, genesis, overrides: {}, executes: true, initialisesOnly: true }),
      flavour: FLAVOUR,
      log: createLogger({ level: 'error', format: 'text', color: false, pid: false }),
      version: '0.0.0',
      pool: { settings: FLAVOUR.pool.defaults },
      engine: { host: '127.0.0.1', port: 0, jwtSecret: JWT, virtualHosts: [] },
      submission: { admission: true },
      conditional: false,
      receiptTimeouts: FLAVOUR.pool.receiptTimeouts,
    });
    const client = httpClient({ url: `http://127.0.0.1:${node.ports.engine}`, jwtSecret: JWT, timeoutMs: 600_000 });
    try {
      const { chain } = node.context;
      const { hash } = fixture.genesisBlockHeader;
      if (chain.genesisHash !== hash) throw new Disagreement(`genesis block ${chain.genesisHash}, published ${hash}`);
      for (const [index, payload] of fixture.engineNewPayloads.entries()) {
        const outcome = await answer(() =>
          client.call<Status>(`engine_newPayloadV${payload.newPayloadVersion}`, payload.params),
        );
        const { validationError, errorCode } = payload;
        const expected = errorCode ?? (validationError === undefined ? 'VALID' : 'INVALID');
        if (outcome.kind !== expected && !(outcome.kind === MALFORMED && validationError?.includes(REQUESTS)))
          throw new Disagreement(
            `payload ${index}: ${outcome.kind} ${outcome.reason}, published ${expected} ${validationError ?? ''}`,
          );
        if (expected !== 'VALID') continue;
        const headBlockHash = payload.params[0]!['blockHash'] as Hex;
        const state = { headBlockHash, safeBlockHash: headBlockHash, finalizedBlockHash: hash };
        const method = `engine_forkchoiceUpdatedV${payload.forkchoiceUpdatedVersion}`;
        const { payloadStatus } = await client.call<{ payloadStatus: Status }>(method, [state, null]);
        if (payloadStatus.status !== 'VALID') throw new Disagreement(`payload ${index}: head ${payloadStatus.status}`);
      }
      if (chain.head.hash !== fixture.lastblockhash)
        throw new Disagreement(`the head is ${chain.head.hash}, published ${fixture.lastblockhash}`);
    } finally {
      client.close();
      await node.close();
    }
  });
}

/** Returns the status of a payload, or the code of an error. */
async function answer(call: () => Promise<Status>): Promise<{ readonly kind: string; readonly reason: string }> {
  try {
    const { status, validationError } = await call();
    return { kind: status, reason: validationError ?? '' };
  } catch (error) {
    if (error instanceof RpcError) return { kind: String(error.code), reason: error.message };
    throw error;
  }
}
