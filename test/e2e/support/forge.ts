import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../devnet.ts';

/** A compiler for forge: npm's solc, behind the two options that forge calls. Without it forge would download one. */
const COMPILER = `#!${process.execPath}
const solc = ${JSON.stringify(join(root, 'node_modules/solc'))};
const { readFileSync } = require('node:fs');
const name = 'solc, the solidity compiler commandline interface';
// The package's version, because loading the compiler takes a second. forge wants a commit behind it.
const version = () => require(solc + '/package.json').version + '+commit.00000000';
if (process.argv.includes('--version')) console.log(name + '\\nVersion: ' + version());
else process.stdout.write(require(solc).compile(readFileSync(0, 'utf8')));
`;

const COUNTER = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface Vm {
    function startBroadcast() external;
    function stopBroadcast() external;
    function envAddress(string calldata name) external view returns (address);
}

Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

contract Counter {
    uint256 public number;
    event Counted(uint256 number);

    function add(uint256 by) external {
        number += by;
        emit Counted(number);
    }
}
`;

const SCRIPT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import "../src/Counter.sol";

contract Deploy {
    function run() external returns (Counter counter) {
        vm.startBroadcast();
        counter = new Counter();
        counter.add(7);
        vm.stopBroadcast();
    }
}
`;

const TEST = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import "../src/Counter.sol";

contract CounterTest {
    bool public IS_TEST = true;

    function test_adds_to_what_the_chain_holds() external {
        Counter counter = Counter(vm.envAddress("COUNTER"));
        require(counter.number() == 7, "the fork has another number");
        counter.add(1);
        require(counter.number() == 8, "not added");
    }
}
`;

/**
 * Makes a foundry project in a new folder.
 * It has a contract, a script that deploys and calls it, and a test that runs on a fork of the deployed contract.
 */
export function forgeProject(folder: string): void {
  const files = {
    'foundry.toml': `[profile.default]
solc = "${compilerIn(folder)}"
offline = true
evm_version = "london"
`,
    'src/Counter.sol': COUNTER,
    'script/Deploy.s.sol': SCRIPT,
    'test/Counter.t.sol': TEST,
  };
  for (const sub of ['src', 'script', 'test']) mkdirSync(join(folder, sub), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/** Writes the compiler to a folder and returns its path. */
export function compilerIn(folder: string): string {
  const path = join(folder, 'compiler.cjs');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, COMPILER);
  chmodSync(path, 0o755);
  return path;
}
