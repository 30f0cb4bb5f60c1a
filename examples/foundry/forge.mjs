// npm's forge ends with 0 whatever the outcome. This script runs the program beneath it, and ends with its exit code.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const arch = process.arch === 'x64' ? 'amd64' : process.arch;
const manifest = createRequire(import.meta.url).resolve(`@foundry-rs/forge-${process.platform}-${arch}/package.json`);
const { status } = spawnSync(join(dirname(manifest), 'bin', 'forge'), process.argv.slice(2), { stdio: 'inherit' });
process.exit(status ?? 1);
