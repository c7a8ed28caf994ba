import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { CatalogFigures, ListedProduct } from '../../../contract/dashboard/catalog-api.ts'
import { plural } from '../../../contract/text.ts'
import { Empty } from '../../kit/empty.tsx'
import { type Column, type FilterOf, List } from '../../kit/list.tsx'
import { useMay } from '../../kit/me.ts'
import { useMoney } from '../../kit/money.tsx'
import { Page } from '../../kit/page.tsx'
import { useRead } from '../../kit/read.ts'
import { useBoxNames } from '../../kit/selection-bar.tsx'
import { Status } from '../../kit/status.tsx'
import { useLocale, useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { ArchiveChosen } from './archive-chosen.tsx'
import { frequencyOf } from './cadence.ts'
import { ProductDialog } from './product-dialog.tsx'
import { TEXTS } from './texts/texts.ts'

export default function ProductsPage() {
  const t = useTexts(TEXTS)
  const mayWrite = useMay('catalog.write')
  const [isOpen, setOpen] = useState(false)
  const columns = useColumns()
  const boxes = useBoxNames(nameOf)
  const create = mayWrite && <Button onClick={() => setOpen(true)}>{t.newProduct}</Button>
  const filters: FilterOf<'GET /products'>[] = [
    { id: 'q', label: t.name, kind: 'text' },
    {
      id: 'active',
      label: t.status,
      kind: 'select',
      options: [
        { value: 'true', label: t.active },
        { value: 'false', label: t.archived },
      ],
    },
  ]
  return (
    <Page title={t.products} actions={create}>
      <List
        name="GET /products"
        caption={t.products}
        views="products"
        exportName="POST /products/export"
        exportPermission="export.customers"
        columns={columns}
        filters={filters}
        rowTo={({ id }) => `products/${id}`}
        bulk={
          mayWrite
            ? {
                boxes,
                bar: (rows, deselect) => (
                  <ArchiveChosen name="POST /products/archive" {...{ rows, nameOf, deselect }} />
                ),
              }
            : undefined
        }
        empty={
          <Empty kind="nothing" title={t.nothingTitle} text={t.nothingText} action={create} guide="tag/products" />
        }
      />
      {isOpen && <ProductDialog onClose={() => setOpen(false)} product={null} />}
    </Page>
  )
}

const nameOf = ({ name }: ListedProduct) => name

function useColumns(): Column<ListedProduct>[] {
  const t = useTexts(TEXTS)
  const locale = useLocale()
  const money = useMoney()
  const { data: figures } = useRead('GET /catalog/figures')
  return useMemo(() => {
    const byProduct = sumByProduct(figures)
    const price = ({ view }: ListedProduct) => {
      if (view.price) return `${money(view.price.unit_amount)} · ${frequencyOf(view.price.recurring, t)}`
      return view.active_prices === 0 ? t.noPrice : plural(t.severalPrices, view.active_prices, locale)
    }
    return [
      { id: 'name', header: t.name, cell: ({ name }) => name },
      { id: 'price', header: t.price, cell: price },
      {
        id: 'status',
        header: t.status,
        cell: ({ active }) => <Status tone={active ? 'good' : 'plain'}>{active ? t.active : t.archived}</Status>,
      },
      {
        id: 'subscriptions',
        header: t.activeSubscriptions,
        align: 'end',
        cell: ({ id }) => byProduct && (byProduct.get(id)?.subscriptions ?? 0),
      },
      {
        id: 'volume',
        header: t.volume,
        align: 'end',
        cell: ({ id }) => byProduct && money(byProduct.get(id)?.volume ?? 0),
      },
      { id: 'created', header: t.created, cell: ({ created }) => <Instant at={created} /> },
    ]
  }, [t, locale, money, figures])
}

/** Sums up the figures by product; `null` while they are loading. */
function sumByProduct(figures: CatalogFigures | undefined) {
  if (!figures) return null
  const sums = new Map<string, { subscriptions: number; volume: number }>()
  for (const { product, active_subscriptions: count, volume } of figures.prices) {
    const sum = sums.get(product) ?? { subscriptions: 0, volume: 0 }
    sums.set(product, { subscriptions: sum.subscriptions + count, volume: sum.volume + volume })
  }
  return sums
}
