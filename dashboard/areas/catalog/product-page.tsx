import { Alert, Button } from '@mantine/core'
import { useState } from 'react'
import type { EditedPrice, EditedProduct } from '../../../contract/dashboard/catalog-api.ts'
import { fill } from '../../../contract/text.ts'
import { Card, Fields, JsonView } from '../../kit/detail.tsx'
import { ExportButton } from '../../kit/export-button.tsx'
import { usePathParam } from '../../kit/links.tsx'
import { useMay } from '../../kit/me.ts'
import { useMoney } from '../../kit/money.tsx'
import { Page } from '../../kit/page.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { Status } from '../../kit/status.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Instant, useDayText } from '../../kit/time.tsx'
import { EditPriceDialog, NewPriceDialog } from './price-dialog.tsx'
import { PricesTable } from './prices-table.tsx'
import { ProductDialog } from './product-dialog.tsx'
import { SubscriptionsLink } from './subscriptions-link.tsx'
import { TEXTS } from './texts/texts.ts'
import { useArchive } from './use-archive.ts'

export default function ProductPage() {
  const t = useTexts(TEXTS)
  const id = usePathParam('id')
  const { data: product, error, refetch } = useRead('GET /products/{id}', { params: { id } })
  const breadcrumbs = [{ label: t.products, to: 'products' }]
  if (product) return <Product product={product} breadcrumbs={breadcrumbs} />
  return (
    <Page title={t.products} breadcrumbs={breadcrumbs}>
      <Refusal error={error} onRetry={() => void refetch()} />
    </Page>
  )
}

interface ProductProps {
  product: EditedProduct
  breadcrumbs: { label: string; to: string }[]
}

function Product({ product, breadcrumbs }: ProductProps) {
  const t = useTexts(TEXTS)
  const mayWrite = useMay('catalog.write')
  const archive = useArchive()
  const [isEditing, setEditing] = useState(false)
  const { active, name } = product
  const actions = mayWrite && (
    <>
      <Button variant="default" onClick={() => setEditing(true)}>
        {t.edit}
      </Button>
      <Button variant="default" onClick={() => void archive.product(product)}>
        {active ? t.archive : t.restore}
      </Button>
    </>
  )
  return (
    <Page
      title={name}
      breadcrumbs={breadcrumbs}
      badge={<Status tone={active ? 'good' : 'plain'}>{active ? t.active : t.archived}</Status>}
      actions={actions}
    >
      <Refusal error={archive.error} />
      {!active && <Alert color="blue" variant="outline" title={t.archivedNote} />}
      <Card title={t.details}>
        <Details product={product} />
      </Card>
      <Prices product={product} archive={archive} />
      <JsonView path={`GET /api/v1/products/${product.id}`} document={merchantObject(product)} events={product.id} />
      {isEditing && <ProductDialog onClose={() => setEditing(false)} product={product} />}
    </Page>
  )
}

function Details({ product }: { product: EditedProduct }) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const day = useDayText('medium')
  const { id, description, created } = product
  const { data: figures } = useRead('GET /catalog/figures', { query: { products: id } })
  const sum = (figure: 'active_subscriptions' | 'volume') =>
    figures?.prices.reduce((total, price) => total + price[figure], 0)
  const volume = sum('volume')
  return (
    <>
      <Fields
        items={[
          [t.description, description],
          [
            t.activeSubscriptions,
            <SubscriptionsLink key="subscriptions" count={sum('active_subscriptions')} filter={`product=${id}`} />,
          ],
          [t.volume, volume === undefined ? null : money(volume)],
          [t.created, <Instant key="created" at={created} />],
        ]}
      />
      {figures && <p className="dimmed">{fill(t.volumeNote, { day: day(figures.since) })}</p>}
    </>
  )
}

function Prices({ product, archive }: { product: EditedProduct; archive: ReturnType<typeof useArchive> }) {
  const t = useTexts(TEXTS)
  const mayWrite = useMay('catalog.write')
  const mayExport = useMay('export.customers')
  const [isNew, setNew] = useState(false)
  const [edited, setEdited] = useState<EditedPrice | null>(null)
  const actions = (
    <>
      {mayExport && <ExportButton name="POST /prices/export" filters={[]} query={{ product: product.id }} />}
      {mayWrite && (
        <Button size="sm" onClick={() => setNew(true)}>
          {t.newPrice}
        </Button>
      )}
    </>
  )
  return (
    <Card title={t.prices} actions={actions}>
      <PricesTable product={product} onEdit={setEdited} onArchive={archive.price} />
      <NewPriceDialog opened={isNew} onClose={() => setNew(false)} productId={product.id} />
      {edited && <EditPriceDialog price={edited} onClose={() => setEdited(null)} />}
    </Card>
  )
}

/** Returns the product without the members that exist only for pages. */
function merchantObject({ version: _version, prices, ...product }: EditedProduct) {
  return { ...product, prices: prices.map(({ version: _ofPrice, ...price }) => price) }
}
