import { useState } from 'react'
import type { EditedPrice, EditedProduct } from '../../../contract/dashboard/catalog-api.ts'
import { fill } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { useUndo } from '../../kit/dialog.tsx'
import { useInvalidate } from '../../kit/read.ts'
import { useTexts } from '../../kit/texts.ts'
import { TEXTS } from './texts/texts.ts'

/** Archives and restores at once, and offers to undo it (DSH-26). */
export function useArchive() {
  const t = useTexts(TEXTS)
  const call = useCall()
  const invalidate = useInvalidate()
  const offerUndo = useUndo()
  const [error, setError] = useState<unknown>(null)
  const shown = () => invalidate('GET /products/{id}', 'GET /products')

  async function toggle<Item extends { active: boolean }>(
    item: Item,
    text: { archived: string; restored: string },
    write: (item: Item, active: boolean) => Promise<Item>,
  ): Promise<void> {
    setError(null)
    try {
      const changed = await write(item, !item.active)
      await shown()
      offerUndo(changed.active ? text.restored : text.archived, async () => {
        await write(changed, !changed.active).catch(setError)
        await shown()
      })
    } catch (refusal) {
      setError(refusal)
      await shown()
    }
  }

  return {
    error,
    product(product: EditedProduct) {
      const { name } = product
      const text = { archived: fill(t.productArchived, { name }), restored: fill(t.productRestored, { name }) }
      return toggle(product, text, ({ id, version }, active) =>
        call('PATCH /products/{id}', { params: { id }, body: { version, active } }),
      )
    },
    /** @param name name of the price, as the page shows it */
    price(price: EditedPrice, name: string) {
      const text = { archived: fill(t.priceArchived, { name }), restored: fill(t.priceRestored, { name }) }
      return toggle(price, text, ({ id, version }, active) =>
        call('PATCH /prices/{id}', { params: { id }, body: { version, active } }),
      )
    },
  }
}
