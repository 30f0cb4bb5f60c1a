import { prepareCrypto } from '../../../src/nodes/execution/evm/crypto.ts';
import type { VectorKind } from '../kind.ts';
import { runBlocks } from './blocks.ts';
import type { BlockFixture, PayloadFixture } from './fixture.ts';
import { runPayloads } from './payloads.ts';

/** Folders of consensus tests, as execution-spec-tests and ethereum/tests name them. */
const SUITE = /(?:^|\/)((?:blockchain_tests\w*|BlockchainTests)(?:\/[^/]+)?)\//;

/** Formats by the key that only their cases have. */
const FORMATS: readonly { readonly name: string; readonly key: string; run(fixture: unknown): Promise<void> }[] = [
  { name: 'blocks', key: 'blocks', run: (fixture) => runBlocks(fixture as BlockFixture) },
  { name: 'payloads', key: 'engineNewPayloads', run: (fixture) => runPayloads(fixture as PayloadFixture) },
];

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Consensus tests: chains of blocks that are imported, and payloads that are sent to the Engine API. */
export const consensus: VectorKind = {
  name: 'consensus tests',
  files: new RegExp(`^(?!.*\\.meta/).*${SUITE.source}.*\\.json$`),
  cases(path, text) {
    const content: unknown = JSON.parse(text);
    const folder = SUITE.exec(path)![1];
    return Object.entries(isObject(content) ? content : {}).flatMap(([name, fixture]) =>
      FORMATS.filter(({ key }) => isObject(fixture) && key in fixture).map((format) => ({
        name,
        suite: `${format.name}, ${folder}`,
        async check() {
          await prepareCrypto();
          await format.run(fixture);
        },
      })),
    );
  },
};
