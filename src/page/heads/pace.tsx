import type { PaceRow } from '../../orchestrator/dashboard/pace.ts';
import type { Picture } from '../../orchestrator/dashboard/picture-type.ts';
import { digitGroups } from '../../system/numbers/human.ts';
import { Problem, Table } from '../parts/parts.tsx';
import { amount } from '../parts/values.ts';
import { useView } from '../store/store.tsx';

/** Block time, gas, base fee and cost on L1 of each chain, over its newest blocks. */
export function Pace({ picture }: { readonly picture: Picture }) {
  const { value, error } = useView<readonly PaceRow[]>('pace', 2000);
  if (error !== undefined) return <Problem text={error} />;
  return (
    <>
      <h2>Pace and fees</h2>
      <Table
        columns={[
          'chain',
          '#block time',
          '#planned',
          '#gas used',
          '#of the limit',
          '#base fee',
          '#transactions per block',
          '#batcher on L1',
          '#per transaction there',
        ]}
        rows={value?.map((row) => {
          const batcher = picture.chains
            .find(({ name }) => name === row.chain)
            ?.posters.find(({ name }) => name.endsWith('/batcher'));
          return [
            row.chain,
            row.seconds === null ? '-' : `${row.seconds.toFixed(1)} s`,
            `${row.plannedSeconds} s`,
            digitGroups(row.gasUsed),
            `${((row.gasUsed / row.gasLimit) * 100).toFixed(1)} %`,
            row.baseFee === null ? '-' : amount(row.baseFee),
            row.transactions.toFixed(1),
            batcher === undefined ? '-' : amount(batcher.spent),
            batcher === undefined || batcher.posts === 0
              ? '-'
              : amount(String(BigInt(batcher.spent) / BigInt(batcher.posts))),
          ];
        })}
      />
      <p class="dim">
        gas, base fee: of the newest block; block time and transactions: of the newest 25; the batcher: since this page
        is served
      </p>
    </>
  );
}
