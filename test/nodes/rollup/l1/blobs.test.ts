import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { loadKzgVerifier, versionedHash } from '../../../../src/nodes/kzg/kzg.ts';
import { beaconClient } from '../../../../src/nodes/rollup/l1/beacon-client.ts';
import { blobSource } from '../../../../src/nodes/rollup/l1/blobs.ts';
import { connectL1 } from '../../../../src/nodes/rollup/l1/connect.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex, L1Header } from '../../../../src/protocol/types.ts';
import { createLogger } from '../../../../src/system/program/log.ts';

const silent = createLogger({ level: 'silent', format: 'text', color: false, pid: false });
const GENESIS = 1000;

/** A blob with its commitment and proof by the reference implementation (c-kzg). */
const BLOB = new Uint8Array(131072).map((_, at) => (at % 32 === 0 ? 0 : (at * 7) % 251));
const COMMITMENT =
  '0x88CD4E38F9E3FF6D95DC8070D0794A0CEFC7A9006C99BC11A3EB55656B4457B03AC7DAF93948C5DBFD45B59F440C1252' as Hex;
const PROOF =
  '0x928F7C0002827F1DC71B76C6676C758FB1CCB4E002DE73EA25E48E5AF333CD61000966A6A4F9FC746D8B8893DDE47FE6' as Hex;
/** The zero blob, whose commitment and proof are the point at infinity. */
const INFINITY = `0xc0${'00'.repeat(47)}` as Hex;
const FULL = { index: '0', blob: bytesToHex(BLOB), kzg_commitment: COMMITMENT, kzg_proof: PROOF };
const EMPTY = { index: '1', blob: bytesToHex(new Uint8Array(131072)), kzg_commitment: INFINITY, kzg_proof: INFINITY };
const HASH = { full: versionedHash(hexToBytes(COMMITMENT)), empty: versionedHash(hexToBytes(INFINITY)) };

const FULL_BLOB = { hash: HASH.full, index: 0 };
const EMPTY_BLOB = { hash: HASH.empty, index: 1 };

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A beacon node with the sidecars of slot 5; undefined: it has pruned them. */
async function beacon(
  sidecars: readonly { readonly index: string }[] | undefined,
  isAskedFor: (sidecar: { readonly index: string }, indices: readonly string[] | undefined) => boolean = () => true,
): Promise<{ url: string; requests: { path: string; key: string | undefined }[] }> {
  const requests: { path: string; key: string | undefined }[] = [];
  const answers: Record<string, unknown> = {
    '/eth/v1/beacon/genesis': { data: { genesis_time: String(GENESIS) } },
    '/eth/v1/config/spec': { data: { SECONDS_PER_SLOT: '12' } },
    '/eth/v1/node/version': { data: { version: 'beacon/test' } },
  };
  const server = createServer((request, response) => {
    const { pathname: path, searchParams } = new URL(request.url as string, 'http://beacon');
    const indices = searchParams.has('indices') ? searchParams.getAll('indices') : undefined;
    if (sidecars)
      answers['/eth/v1/beacon/blob_sidecars/5'] = { data: sidecars.filter((sidecar) => isAskedFor(sidecar, indices)) };
    requests.push({ path: request.url as string, key: request.headers['x-key'] as string | undefined });
    response.writeHead(answers[path] ? 200 : 404).end(JSON.stringify(answers[path] ?? {}));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const header = { number: 7, timestamp: GENESIS + 5 * 12 } as L1Header;
const source = (...urls: string[]) =>
  blobSource(
    urls.map((url) => beaconClient(url, { header: 'X-Key: secret' })),
    async (...blob) => {
      try {
        return (await loadKzgVerifier()).verifyBlob(...blob);
      } catch {
        return false;
      }
    },
    silent,
  );

describe('blobs from beacon nodes', () => {
  it('come in the requested order, with the header of the options, and are cached', async () => {
    const { url, requests } = await beacon([FULL, EMPTY]);
    const blobs = source(url);
    const got = await blobs(header, [EMPTY_BLOB, FULL_BLOB]);
    expect(got?.map((blob) => blob[1])).toEqual([0, 7]);
    const before = requests.length;
    expect(await blobs(header, [FULL_BLOB])).toEqual([got?.[1]]);
    expect(requests).toHaveLength(before);
    expect(requests.every(({ key }) => key === 'secret')).toBe(true);
  });

  it('are requested by their index in the block, or all for nodes that do not filter', async () => {
    for (const [fetchAll, path] of [
      [false, '/eth/v1/beacon/blob_sidecars/5?indices=1&indices=0'],
      [true, '/eth/v1/beacon/blob_sidecars/5'],
    ] as const) {
      const { url, requests } = await beacon([FULL, EMPTY]);
      const blobs = blobSource([beaconClient(url, { fetchAll })], async () => true, silent);
      await blobs(header, [EMPTY_BLOB, FULL_BLOB]);
      expect(requests.map((request) => request.path)).toContain(path);
    }
  });

  it('are found by their hash when the index in the slot differs from that in the block', async () => {
    const { url, requests } = await beacon([FULL, EMPTY], ({ index }, indices) => indices?.includes(index) ?? true);
    expect((await source(url)(header, [{ ...EMPTY_BLOB, index: 0 }]))?.[0]?.[1]).toBe(0);
    expect(requests.slice(-2).map(({ path }) => path)).toEqual([
      '/eth/v1/beacon/blob_sidecars/5?indices=0',
      '/eth/v1/beacon/blob_sidecars/5',
    ]);
  });

  it('are found by the slot duration of the options, without a request for it', async () => {
    const { url, requests } = await beacon([FULL]);
    const client = beaconClient(url, { slotDuration: 6 });
    expect(await client.slotOf(GENESIS + 60)).toBe(10);
    expect(requests.map(({ path }) => path)).toEqual(['/eth/v1/beacon/genesis']);
  });

  it('are requested from the fallback when the first node has pruned them', async () => {
    const [pruned, full] = [await beacon(undefined), await beacon([FULL])];
    expect((await source(pruned.url, full.url)(header, [FULL_BLOB]))?.[0]?.[1]).toBe(7);
  });

  it('are gone when every node lacks them', async () => {
    const [pruned, other] = [await beacon(undefined), await beacon([EMPTY])];
    expect(await source(pruned.url, other.url)(header, [FULL_BLOB])).toBeNull();
  });

  it('may come later when a node does not answer', async () => {
    const [away, pruned] = [await beacon([FULL]), await beacon(undefined)];
    const blobs = source('http://127.0.0.1:1', pruned.url);
    await expect(blobs(header, [FULL_BLOB])).rejects.toThrow('beacon node 127.0.0.1:1');
    expect((await source(away.url)(header, [FULL_BLOB]))?.[0]?.[1]).toBe(7);
  });

  it.each([
    ['another content', { ...FULL, blob: EMPTY.blob }],
    ['another proof', { ...FULL, kzg_proof: INFINITY }],
    ['a short blob', { ...FULL, blob: '0x00' }],
  ])('are refused with %s', async (_, sidecar) => {
    const { url } = await beacon([sidecar]);
    await expect(source(url)(header, [FULL_BLOB])).rejects.toThrow('answered a blob');
  });

  it('need a beacon node, as the message says', async () => {
    await expect(source()(header, [FULL_BLOB])).rejects.toThrow('give --l1.beacon');
    expect(await source()(header, [])).toEqual([]);
  });
});

describe('the health check of the beacon node', () => {
  const connect = (...beacons: string[]) =>
    connectL1({
      url: 'http://127.0.0.1:1',
      maxBatch: 1,
      maxConcurrency: 1,
      rateLimit: 0,
      cacheSize: 1,
      trusted: false,
      kind: 'standard',
      beacons,
      beaconHeader: undefined,
      log: silent,
    });
  const signal = new AbortController().signal;

  it('passes when the node answers, and when none is given', async () => {
    const { url } = await beacon([]);
    await expect(connect(url).beaconAnswers(signal)).resolves.toBeUndefined();
    await expect(connect().beaconAnswers(signal)).resolves.toBeUndefined();
  });

  /** A beacon node whose first requests end without an answer. */
  async function stumbling(failures: number) {
    let requests = 0;
    const server = createServer((request, response) => {
      if (requests++ < failures) request.socket.destroy();
      else response.end(JSON.stringify({ data: { version: 'late' } }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      requests: () => requests,
      [Symbol.asyncDispose]: async () => void server.close(),
    };
  }

  it('fails when another kind of server answers', async () => {
    const { url } = await beacon([]);
    await expect(connect(`${url}/other/`).beaconAnswers(signal, 1)).rejects.toThrow('is it a beacon node?');
  });

  it('passes when one of five attempts is answered', async () => {
    await using node = await stumbling(4);
    await expect(connect(node.url).beaconAnswers(signal, 1)).resolves.toBeUndefined();
    expect(node.requests()).toBe(5);
  });

  it('fails after five attempts, with the URL', async () => {
    await using node = await stumbling(5);
    await expect(connect(node.url).beaconAnswers(signal, 1)).rejects.toThrow(`beacon node ${new URL(node.url).host}`);
    expect(node.requests()).toBe(5);
  });
});
