import { runReader } from '../nodes/execution/reading/reader.ts';

await runReader();
