import { expect, it } from 'vitest';
import { openPorts, publicPorts } from '../../../src/orchestrator/export/unit.ts';
import { exportText, SPECS } from './exported.ts';

it('L1 is one unit of anvil and its beacon node, and each other task is one', async () => {
  const { units } = await exportText('{}');
  expect(units.map(({ name, tasks, needs }) => [name, tasks.join(' '), needs.join(' ')])).toEqual([
    ['l1', 'l1 l1-beacon', ''],
    ['main-sequencer-el', 'main/sequencer/el', 'l1'],
    ['main-sequencer-cl', 'main/sequencer/cl', 'l1 main-sequencer-el'],
    ['main-verifier-el', 'main/verifier/el', 'l1'],
    ['main-verifier-cl', 'main/verifier/cl', 'l1 main-verifier-el'],
    ['main-batcher', 'main/batcher', 'l1'],
    ['main-proposer', 'main/proposer', 'l1'],
  ]);
});

it('users call JSON-RPC, the beacon API and gossip, and neither the Engine API nor anvil', async () => {
  const { units } = await exportText('{}');
  expect(
    units.map((unit) =>
      publicPorts(unit)
        .map(({ name }) => name)
        .join(' '),
    ),
  ).toEqual(['http gate', 'http ws', 'rpc p2p', 'http ws', 'rpc p2p', '', '']);
});

it.each(Object.entries(SPECS))('no two ports of a network are equal, and no unit needs itself: %s', async (_, text) => {
  const { units } = await exportText(text);
  const ports = units.flatMap((unit) => unit.ports.map(({ port }) => port));
  expect(new Set(ports).size).toBe(ports.length);
  const names = units.map(({ name }) => name);
  for (const [index, { needs }] of units.entries())
    for (const need of needs) expect(names.slice(0, index), need).toContain(need);
});

it('other machines call JSON-RPC alone, and no port that controls a node or a conductor', async () => {
  const { units } = await exportText(SPECS['sequencers that take over'] ?? '');
  const open = units.flatMap((unit) => openPorts(unit).map(({ name }) => `${unit.name} ${name}`));
  expect(open.filter((each) => !/-el (http|ws)$/.test(each))).toEqual(['l1 gate']);
  expect(open.filter((each) => each.startsWith('main-s'))).not.toEqual([]);
});

it('a conductor is a unit that users call, and the file of an export has its address', async () => {
  const { units, attach } = await exportText(SPECS['sequencers that take over'] ?? '');
  const unit = units.find(({ tasks }) => tasks.includes('main/conductor'));
  expect(unit && publicPorts(unit).map(({ name, port }) => [name, port])).toEqual([['rpc', 9534]]);
  expect(attach.text).toContain('conductor:\n      rpc: http://127.0.0.1:9534\n');
});
