/** Programs for which the page has a text to paste. */
export const TOOLS = ['cast', 'viem', 'ethers', 'hardhat', 'foundry.toml'] as const;

interface Place {
  readonly name: string;
  readonly chainId: number;
  readonly url: string;
}

/** Returns what connects a program to a chain. */
export function snippetOf(tool: (typeof TOOLS)[number], { name, chainId, url }: Place): string {
  // Names of networks in these files are identifiers.
  const id = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '_');
  switch (tool) {
    case 'cast':
      return `export ETH_RPC_URL=${url}\ncast chain-id   # ${chainId}\ncast block-number`;
    case 'viem':
      return [
        `import { createPublicClient, defineChain, http } from 'viem';`,
        '',
        `const chain = defineChain({`,
        `  id: ${chainId},`,
        `  name: '${name}',`,
        `  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },`,
        `  rpcUrls: { default: { http: ['${url}'] } },`,
        `});`,
        `const client = createPublicClient({ chain, transport: http() });`,
      ].join('\n');
    case 'ethers':
      return `import { JsonRpcProvider } from 'ethers';\n\nconst provider = new JsonRpcProvider('${url}', ${chainId});`;
    case 'hardhat':
      return `networks: {\n  ${id}: { type: 'http', url: '${url}', chainId: ${chainId} },\n},`;
    case 'foundry.toml':
      return `[rpc_endpoints]\n${id} = "${url}"`;
  }
}
