import { dirname } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Plan, planSchema } from '../../../src/orchestrator/plan/plan.ts';
import { planText } from '../../../src/orchestrator/plan/print/print.ts';
import { shellScript } from '../../../src/orchestrator/plan/print/shell.ts';
import { shellQuote } from '../../../src/system/program/shell-quote.ts';
import { templateNames } from '../package.ts';
import { planOf, quickPlanOf } from './planned.ts';

const sizes = ({ files }: Plan) => new Map(files.map(({ path }) => [path, 1]));

const name = fc
  .stringMatching(/^[a-z][a-z0-9-]{0,8}$/)
  .filter((text) => !['batcher', 'proposer', 'l1', 'l1-beacon'].includes(text));
const binary = (client: string) =>
  templateNames.includes(client) && client.startsWith('op-') ? { client, binary: `/bin/${client}` } : { client };
const el = fc.constantFrom('execution-go', 'execution-rust', 'op-geth', 'op-reth').map(binary);
const cl = fc.constantFrom('rollup-node', 'op-node').map(binary);
const node = fc.record({ el, cl, count: fc.integer({ min: 1, max: 4 }), silent: fc.boolean() });

/** Specs of any shape that is allowed. */
const spec = fc
  .record({
    name,
    seed: fc.nat(),
    chains: fc.dictionary(
      name,
      fc.record({
        forks: fc.constantFrom({ base: 'jovian' }, { base: 'granite', holocene: '+8s' }),
        batcher: fc.constantFrom<object | boolean>(
          false,
          {},
          { client: 'op-batcher', binary: 'op-batcher' },
          { da: 'blobs' },
        ),
        proposer: fc.constantFrom<object | boolean>(false, {}, { client: 'op-proposer', binary: 'op-proposer' }),
        nodes: fc.dictionary(name, node, { maxKeys: 4 }),
      }),
      { minKeys: 1, maxKeys: 3 },
    ),
  })
  .map(({ chains, ...rest }) => ({
    ...rest,
    chains: Object.fromEntries(
      Object.entries(chains).map(([chain, { nodes, ...value }], index) => [
        chain,
        {
          ...value,
          chainId: 1000 + index,
          nodes: {
            'the-sequencer': { role: 'sequencer' },
            ...Object.fromEntries(
              Object.entries(nodes).map(([key, { silent, ...each }]) => [
                key,
                { ...each, cl: { ...each.cl, ...(silent ? { args: { 'p2p.disable': true } } : {}) } },
              ]),
            ),
          },
        },
      ]),
    ),
  }));

it('a plan is complete: distinct ports, resolved references and needs, no secret in a command line', () => {
  fc.assert(
    fc.property(spec, (value) => {
      const text = JSON.stringify(value);
      const plan = planOf(text);
      expect(planOf(text)).toEqual(plan);

      const ports = plan.tasks.flatMap((task) => task.ports.map(({ port }) => port));
      expect(new Set(ports).size).toBe(ports.length);
      expect(ports.every((port) => port > 0 && port < 65536)).toBe(true);

      const json = JSON.stringify(plan);
      expect(/\$\{|undefined|:null/.exec(json)).toBeNull();
      expect(JSON.parse(json)).toEqual(plan);
      // The supervisor accepts it, and its schema has every key of it.
      expect(planSchema.parse(JSON.parse(json))).toEqual(plan);

      const ids = plan.tasks.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const [index, { needs }] of plan.tasks.entries())
        for (const need of needs) expect(ids.slice(0, index)).toContain(need.task);

      const paths = plan.files.map(({ path }) => path);
      expect(new Set(paths).size).toBe(paths.length);
      expect(paths.every((path) => path.startsWith(`${plan.home}/`))).toBe(true);

      for (const { reads, command, prepare } of plan.tasks) {
        const words = [command, ...prepare].flatMap(({ argv, env }) => [...argv, ...Object.values(env)]);
        const mentions = paths.filter((path) =>
          words.some((word) => word.endsWith(path) || word.endsWith(dirname(path))),
        );
        expect([...reads].sort()).toEqual(mentions.sort());
      }

      const secrets = plan.files.flatMap(({ secret, content }) =>
        secret && content.kind === 'text' ? [content.text.trim().replace(/^0x/, '')] : [],
      );
      expect(new Set(secrets).size).toBe(secrets.length);
      for (const { command, prepare, secrets: ofTask } of plan.tasks) {
        const words = [command, ...prepare].flatMap(({ argv }) => argv).join(' ');
        for (const secret of [...secrets, ...ofTask]) expect(words).not.toContain(secret);
      }
      expect(plan.files.every(({ secret, mode }) => !secret || mode === 0o600)).toBe(true);

      for (const { nodes } of plan.network.chains) {
        const dials = new Map(
          nodes.map(({ name: node, cl: { task: id, peerId } }) => [
            node,
            {
              peerId,
              text:
                plan.tasks
                  .find((task) => task.id === id)!
                  .command.argv.find((word) => word.startsWith('--p2p.static=')) ?? '',
            },
          ]),
        );
        for (const [node, mine] of dials) {
          expect(mine.text).not.toContain(mine.peerId);
          for (const [other, theirs] of dials) {
            const silent = (each: string) => nodes.find(({ name }) => name === each)!.cl.p2p === '';
            if (node !== other && !silent(node) && !silent(other))
              expect(mine.text.includes(theirs.peerId)).toBe(theirs.text.includes(mine.peerId));
            if (silent(other)) expect(mine.text).not.toContain(theirs.peerId);
          }
        }
        const peerIds = nodes.map(({ cl: { peerId } }) => peerId);
        expect(new Set(peerIds).size).toBe(peerIds.length);
      }
      expect(planText(plan, sizes(plan))).not.toContain('undefined');
      expect(shellScript(plan)).not.toContain('undefined');
    }),
    { numRuns: 25 },
  );
});

it('another seed, name or node gives other keys', () => {
  const keys = [planOf('name: a'), planOf('name: b'), planOf('name: a\nseed: 1')].flatMap(({ files }) =>
    files.flatMap(({ secret, path, content }) =>
      secret && content.kind === 'text' && !/(batcher|proposer|sequencer)-key/.test(path) ? [content.text] : [],
    ),
  );
  expect(new Set(keys).size).toBe(keys.length);
});

it('a quoted word is one word to a shell, with nothing in it that a shell acts on', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (word) => {
      const quoted = shellQuote(word);
      if (quoted === word) expect(word).toMatch(/^[\w@%+=:,./-]+$/);
      else expect(quoted.slice(1, -1).replaceAll(`'\\''`, '')).not.toContain("'");
    }),
  );
});

it('a command holds no address of another task with faults: each task has links of its own', () => {
  fc.assert(
    fc.property(spec, (value) => {
      const plan = quickPlanOf(JSON.stringify({ ...value, faults: true }));
      const { links = [] } = plan;
      const taken = [...plan.tasks.flatMap(({ ports }) => ports), ...links.map(({ listen }) => listen)];
      expect(new Set(taken.map(({ port }) => port)).size).toBe(taken.length);
      for (const { id, command, prepare } of plan.tasks) {
        const words = [command, ...prepare].flatMap(({ argv, env }) => [...argv, ...Object.values(env)]).join(' ');
        expect(words, id).not.toContain('unlinked');
        const strangers = plan.tasks.filter((task) => task.id !== id && !(id === 'l1-beacon' && task.id === 'l1'));
        for (const { host, port } of strangers.flatMap(({ ports }) => ports))
          expect(words, id).not.toMatch(new RegExp(`${host}(:|/tcp/)${port}(?!\\d)`));
        const used = links.filter(({ listen }) => new RegExp(`(:|/|=)${listen.port}(?!\\d)`).test(words));
        for (const { from, to } of used) expect([from, from === '*' ? to : from]).toEqual([from, id]);
      }
    }),
    { numRuns: 25 },
  );
});
