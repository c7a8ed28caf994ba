import { Button } from '@mantine/core'
import type { EditedPrice, EditedProduct } from '../../../contract/dashboard/catalog-api.ts'
import { fill } from '../../../contract/text.ts'
import { Copy } from '../../kit/copy.tsx'
import { Empty } from '../../kit/empty.tsx'
import type { Column } from '../../kit/list.tsx'
import { ListTable } from '../../kit/list-table.tsx'
import { useMay } from '../../kit/me.ts'
import { useMoney } from '../../kit/money.tsx'
import { useRead } from '../../kit/read.ts'
import { useSelection } from '../../kit/selection.ts'
import { useBoxNames } from '../../kit/selection-bar.tsx'
import { Status } from '../../kit/status.tsx'
import { useTexts } from '../../kit/texts.ts'
import { ArchiveChosen } from './archive-chosen.tsx'
import { frequencyOf } from './cadence.ts'
import { SubscriptionsLink } from './subscriptions-link.tsx'
import { TEXTS } from './texts/texts.ts'

interface PricesTableProps {
  product: EditedProduct
  onEdit(price: EditedPrice): void
  onArchive(price: EditedPrice, name: string): Promise<void>
}

export function PricesTable({ product, ...actions }: PricesTableProps) {
  const t = useTexts(TEXTS)
  const mayWrite = useMay('catalog.write')
  const nameOf = usePriceName()
  const boxes = useBoxNames(nameOf)
  const selection = useSelection(product.id)
  const columns = useColumns(product, mayWrite ? actions : null)
  const { prices, prices_has_more: hasMore } = product
  if (prices.length === 0) return <Empty kind="nothing" title={t.noPrices} text={t.noPricesText} />
  return (
    <div className="list">
      <ListTable
        caption={fill(t.pricesOf, { name: product.name })}
        columns={columns}
        rows={prices}
        {...(mayWrite && { selection, boxes })}
      />
      {mayWrite && (
        <ArchiveChosen
          name="POST /prices/archive"
          rows={prices.filter(({ id }) => selection.chosen.has(id))}
          nameOf={nameOf}
          deselect={selection.remove}
        />
      )}
      {hasMore && <p className="dimmed">{t.allPrices}</p>}
      <p className="dimmed">{t.fixedNote}</p>
    </div>
  )
}

/** `$15.00 · Monthly` */
function usePriceName(): (price: EditedPrice) => string {
  const t = useTexts(TEXTS)
  const money = useMoney()
  return ({ unit_amount: amount, recurring }) => `${money(amount)} · ${frequencyOf(recurring, t)}`
}

const NO_USE = { active_subscriptions: 0, volume: 0 }

function useColumns(product: EditedProduct, actions: RowActions | null): Column<EditedPrice>[] {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const { data: figures } = useRead('GET /catalog/figures', { query: { products: product.id } })
  const figuresOf = ({ id }: EditedPrice) => figures && (figures.prices.find(({ price }) => price === id) ?? NO_USE)
  const volumeOf = (price: EditedPrice) => {
    const use = figuresOf(price)
    return use && money(use.volume)
  }
  const columns: Column<EditedPrice>[] = [
    { id: 'amount', header: t.amount, align: 'end', cell: ({ unit_amount: amount }) => <b>{money(amount)}</b> },
    { id: 'frequency', header: t.frequency, cell: ({ recurring }) => frequencyOf(recurring, t) },
    { id: 'nickname', header: t.nickname, cell: ({ nickname }) => nickname ?? '–' },
    {
      id: 'status',
      header: t.status,
      cell: ({ active }) => <Status tone={active ? 'good' : 'plain'}>{active ? t.active : t.archived}</Status>,
    },
    {
      id: 'subscriptions',
      header: t.activeSubscriptions,
      align: 'end',
      cell: (price) => (
        <SubscriptionsLink count={figuresOf(price)?.active_subscriptions} filter={`price=${price.id}`} />
      ),
    },
    { id: 'volume', header: t.volume, align: 'end', cell: volumeOf },
  ]
  if (!actions) return columns
  return [...columns, { id: 'actions', header: t.actions, cell: (price) => <RowButtons price={price} {...actions} /> }]
}

type RowActions = Omit<PricesTableProps, 'product'>

function RowButtons({ price, onEdit, onArchive }: RowActions & { price: EditedPrice }) {
  const t = useTexts(TEXTS)
  const what = usePriceName()(price)
  const { active, id } = price
  return (
    <div className="page-actions" style={{ flexWrap: 'nowrap' }}>
      <Button variant="default" size="sm" aria-label={fill(t.editOf, { what })} onClick={() => onEdit(price)}>
        {t.edit}
      </Button>
      <Button
        variant="default"
        size="sm"
        aria-label={fill(active ? t.archiveOf : t.restoreOf, { what })}
        onClick={() => void onArchive(price, what)}
      >
        {active ? t.archive : t.restore}
      </Button>
      <Copy text={id} label={t.priceId} />
    </div>
  )
}
