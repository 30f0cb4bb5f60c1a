import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packTree, unpackTree } from '../../../src/orchestrator/spec/tree-json.ts';
import { parseYaml } from '../../../src/orchestrator/spec/yaml.ts';
import { packageFile, sampleNames, templateNames } from '../package.ts';

it('a tree that was packed, written and read is the same tree', () => {
  const sources = [
    ...sampleNames.map((name) => packageFile('devnets', name)),
    ...templateNames.map((name) => packageFile('templates', name)),
  ];
  for (const source of sources) {
    const { tree } = parseYaml(source);
    expect(unpackTree(JSON.parse(JSON.stringify(packTree(tree!))), source)).toEqual(tree);
  }
  fc.assert(
    fc.property(fc.json(), (text) => {
      const source = { name: 'any.yaml', text };
      const { tree } = parseYaml(source);
      if (tree !== undefined) expect(unpackTree(JSON.parse(JSON.stringify(packTree(tree))), source)).toEqual(tree);
    }),
  );
});
