import { main } from '../nodes/rollup/main.ts';

process.exit(await main(process.argv.slice(2), process.env));
