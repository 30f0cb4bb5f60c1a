import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Profile } from 'pprof-format';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './support/devnet.ts';
import { RollupNodes, type RunningNode } from './support/process.ts';

const portOf = async (node: RunningNode, message: string) =>
  eventually(async () => node.logged(message)[0]?.['port'] as number | undefined);

/** Returns the names of the values in a profile; `go tool pprof` reads the same in `make interop`. */
function typesOf(bytes: Uint8Array): string[] {
  const { sampleType, stringTable } = Profile.decode(bytes);
  return sampleType.map(({ type }) => stringTable.strings[Number(type)] as string);
}

describe('metrics and profiles of a rollup node', () => {
  let nodes: RollupNodes;
  beforeAll(() => {
    nodes = new RollupNodes();
  });
  afterAll(() => nodes[Symbol.asyncDispose]());

  it('are served in the format of Prometheus under the names of op-node, when enabled', async () => {
    const node = await nodes.start('metered', ['--metrics.enabled', '--metrics.addr=127.0.0.1', '--metrics.port=0']);
    const other = await nodes.start('other', [`--p2p.static=${await node.address()}`]);
    await eventually(async () => (await node.call('opp2p_peerStats')).connected === 1 || undefined);
    const url = `http://127.0.0.1:${await portOf(node, 'metrics listen')}/metrics`;
    const response = await fetch(url);
    expect(response.headers.get('content-type')).toContain('text/plain');
    const text = await response.text();
    for (const line of [
      /^op_node_default_up 1$/m,
      /^op_node_default_info\{version="[^"]+"\} 1$/m,
      /^op_node_default_refs_number\{layer="l2",type="l2_unsafe"\} 0$/m,
      /^op_node_default_p2p_peer_count 1$/m,
      /^op_node_default_p2p_gossip_events_total\{type="ADD_PEER"\} 1$/m,
      /^op_node_default_p2p_accepts\{allow="true"\} \d+$/m,
      /^op_node_default_peer_scores_count\{type="total"\} 1$/m,
      /^op_node_default_rpc_server_requests_total\{method="opp2p_peerStats"\} \d+$/m,
      /^op_node_default_derivation_idle [01]$/m,
      /^process_resident_memory_bytes \d+$/m,
    ])
      expect(text).toMatch(line);
    expect(other.logged('metrics listen')).toEqual([]);
  });

  it('are served for go tool pprof: CPU, heap and allocations', async () => {
    const node = await nodes.start('profiled', ['--pprof.enabled', '--pprof.addr=127.0.0.1', '--pprof.port=0']);
    const base = `http://127.0.0.1:${await portOf(node, 'pprof listens')}/debug/pprof`;
    for (const [path, types] of [
      ['profile?seconds=1', ['samples', 'cpu']],
      ['heap', ['inuse_objects', 'inuse_space']],
      ['allocs?seconds=1', ['alloc_objects', 'alloc_space']],
    ] as const) {
      const pending = fetch(`${base}/${path}`);
      for (let index = 0; index < 50; index++) await node.call('opp2p_self').catch(() => {});
      const bytes = new Uint8Array(await (await pending).arrayBuffer());
      expect(typesOf(bytes)).toEqual(types);
    }
    expect((await fetch(`${base}/goroutine`)).status).toBe(404);
    expect((await fetch(`${base}/profile?seconds=x`)).status).toBe(400);
    expect(await (await fetch(`${base}/`)).text()).toContain('/debug/pprof/allocs');
  });

  it.each([
    ['cpu', ['samples', 'cpu']],
    ['heap', ['inuse_objects', 'inuse_space']],
    ['allocs', ['alloc_objects', 'alloc_space']],
  ])('--pprof.type, --pprof.path: of the whole run, of kind %s, are written when it ends', async (kind, types) => {
    const folder = join(nodes.folder, kind);
    mkdirSync(folder);
    const node = await nodes.spawn(`run-${kind}`, [`--pprof.type=${kind}`, `--pprof.path=${folder}`]).started();
    await node.address();
    expect(await node.stop()).toBe(0);
    expect(typesOf(readFileSync(join(folder, `${kind}.prof`)))).toEqual(types);
  });
});
