import { expect, it } from 'vitest';
import { nodes, problemsOf } from './problems.ts';

const EL = 'external: { http: "http://x", engine: "http://x", jwt: j }';
const where = (text: string) =>
  problemsOf(text).map(({ code, path, line, column }) => `${code} ${path} ${line}:${column}`);

it.each([
  ['faults: true\n', []],
  ['runtime: docker\nfaults: false\n', []],
  [`faults: true\n${nodes(`b: { el: { ${EL} } }`)}`, ['launch chains.main.nodes.b.el.external 2:63']],
  [`faults: true\n${nodes('b: { el: { runtime: docker } }')}`, ['runtime chains.main.nodes.b.el.runtime 2:72']],
  [`faults: true\n${nodes('b: { cl: { client: op-node, image: x } }')}`, ['runtime chains.main.nodes.b.cl.image 2:87']],
  [
    `faults: true\n${nodes(`b: { el: { ${EL} } }, c: { el: { ${EL} } }`)}`,
    ['launch chains.main.nodes.b.el.external 2:63', 'launch chains.main.nodes.c.el.external 2:138'],
  ],
  ['faults: true\nl1: { beacon: { runtime: docker } }\n', ['runtime l1.beacon.runtime 2:26']],
])('%j has faults only between processes that the devnet starts on this machine', (text, problems) => {
  expect(where(text)).toEqual(problems);
});

it('a network in containers has one problem, at the key that puts it there', () => {
  const problems = problemsOf('runtime: docker\nfaults: true\n');
  expect(problems.map(({ path, line }) => `${path} ${line}`)).toEqual(['runtime 1']);
  expect(problems[0]).toMatchObject({
    message: 'faults: true needs processes of this machine: a container does not reach the supervisor’s proxies',
    allowed: 'faults: false, or a process of this machine that the devnet starts',
  });
});

it('an external process has a problem with the way out of it', () => {
  expect(problemsOf(`faults: true\n${nodes(`b: { el: { ${EL} } }`)}`)[0]).toMatchObject({
    message: 'faults: true needs processes that call the addresses of the plan, and an external one calls its own',
    allowed: 'faults: false, or a process of this machine that the devnet starts',
  });
});
