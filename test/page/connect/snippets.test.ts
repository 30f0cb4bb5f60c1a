import { expect, it } from 'vitest';
import { snippetOf, TOOLS } from '../../../src/page/connect/snippets.ts';

const place = { name: 'my-chain', chainId: 901, url: 'http://127.0.0.1:9545' };

it.each(TOOLS)('the snippet for %s has the address of the node', (tool) => {
  expect(snippetOf(tool, place)).toContain(place.url);
});

it('the snippets of files have an identifier as the name of the chain', () => {
  expect(snippetOf('hardhat', place)).toContain(`my_chain: { type: 'http', url: '${place.url}', chainId: 901 }`);
  expect(snippetOf('foundry.toml', place)).toBe(`[rpc_endpoints]\nmy_chain = "${place.url}"`);
});
