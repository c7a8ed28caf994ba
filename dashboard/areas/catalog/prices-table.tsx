import { Button } from '@mantine/core'
import type { EditedPrice, EditedProduct } from '../../../contract/dashboard/catalog-api.ts'
import { fill } from '../../../contract/text.ts'
import { Copy } from '../../kit/copy.tsx'
import { Empty } from '../../kit/empty.tsx'
import { useMay } from '../../kit/me.ts'
import { useMoney } from '../../kit/money.tsx'
import { useRead } from '../../kit/read.ts'
import { ScrollingTable } from '../../kit/scrolling.tsx'
import { Status } from '../../kit/status.tsx'
import { useTexts } from '../../kit/texts.ts'
import { frequencyOf } from './cadence.ts'
import { TEXTS } from './texts/texts.ts'

interface PricesTableProps {
  product: EditedProduct
  onEdit(price: EditedPrice): void
  onArchive(price: EditedPrice, name: string): Promise<void>
}

export function PricesTable({ product, ...actions }: PricesTableProps) {
  const t = useTexts(TEXTS)
  const mayWrite = useMay('catalog.write')
  const { data: figures } = useRead('GET /catalog/figures', { query: { products: product.id } })
  if (product.prices.length === 0) return <Empty kind="nothing" title={t.noPrices} text={t.noPricesText} />
  return (
    <>
      <ScrollingTable label={fill(t.pricesOf, { name: product.name })}>
        <table>
          <caption className="only-read">{t.prices}</caption>
          <thead>
            <tr>
              <th scope="col" className="end">
                {t.amount}
              </th>
              <th scope="col">{t.frequency}</th>
              <th scope="col">{t.nickname}</th>
              <th scope="col">{t.status}</th>
              <th scope="col" className="end">
                {t.activeSubscriptions}
              </th>
              <th scope="col" className="end">
                {t.volume}
              </th>
              {mayWrite && <th scope="col">{t.actions}</th>}
            </tr>
          </thead>
          <tbody>
            {product.prices.map((price) => (
              <PriceRow
                key={price.id}
                price={price}
                figures={figures && (figures.prices.find((one) => one.price === price.id) ?? NO_USE)}
                {...(mayWrite && { actions })}
              />
            ))}
          </tbody>
        </table>
      </ScrollingTable>
      {product.prices_has_more && <p className="dimmed">{t.allPrices}</p>}
      <p className="dimmed">{t.fixedNote}</p>
    </>
  )
}

const NO_USE = { active_subscriptions: 0, volume: 0 }

interface PriceRowProps {
  price: EditedPrice
  figures: typeof NO_USE | undefined
  actions?: Omit<PricesTableProps, 'product'>
}

function PriceRow({ price, figures, actions }: PriceRowProps) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const { active, nickname, recurring, id } = price
  const amount = money(price.unit_amount)
  const what = `${amount} · ${frequencyOf(recurring, t)}`
  return (
    <tr>
      <th scope="row" className="end">
        {amount}
      </th>
      <td>{frequencyOf(recurring, t)}</td>
      <td>{nickname ?? '–'}</td>
      <td>
        <Status tone={active ? 'good' : 'plain'}>{active ? t.active : t.archived}</Status>
      </td>
      <td className="end">{figures?.active_subscriptions}</td>
      <td className="end">{figures && money(figures.volume)}</td>
      {actions && (
        <td>
          <div className="page-actions" style={{ flexWrap: 'nowrap' }}>
            <Button
              variant="default"
              size="sm"
              aria-label={fill(t.editOf, { what })}
              onClick={() => actions.onEdit(price)}
            >
              {t.edit}
            </Button>
            <Button
              variant="default"
              size="sm"
              aria-label={fill(active ? t.archiveOf : t.restoreOf, { what })}
              onClick={() => void actions.onArchive(price, what)}
            >
              {active ? t.archive : t.restore}
            </Button>
            <Copy text={id} label={t.priceId} />
          </div>
        </td>
      )}
    </tr>
  )
}
