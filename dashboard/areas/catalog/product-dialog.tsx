import { Alert, Textarea, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { EditedProduct } from '../../../contract/dashboard/catalog-api.ts'
import { CallError, useCall } from '../../kit/call.ts'
import { ConfirmDialog } from '../../kit/dialog.tsx'
import { useGo } from '../../kit/links.tsx'
import { useInvalidate } from '../../kit/read.ts'
import { useTexts } from '../../kit/texts.ts'
import { TEXTS } from './texts/texts.ts'

interface ProductDialogProps {
  opened: boolean
  onClose(): void
  /** `null`: a new one. */
  product: EditedProduct | null
}

const NAME_MAX = 255
const DESCRIPTION_MAX = 2_000

/** Makes a product, or edits its name and description. */
export function ProductDialog({ opened, onClose, product }: ProductDialogProps) {
  const t = useTexts(TEXTS)
  const { fields, setFields, isChanged, save } = useProductForm(opened, product)
  const isNamed = fields.name.trim() !== ''
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={product ? t.editProduct : t.newProduct}
      verb={product ? t.save : t.createProduct}
      disabled={!isNamed}
      onConfirm={save}
      refusalOf={(error) => (error.code === 'conflict' ? '' : null)}
    >
      {isChanged && (
        <Alert color="yellow" variant="outline" title={t.changedTitle}>
          {t.changedText}
        </Alert>
      )}
      <TextInput
        label={t.name}
        required
        data-autofocus
        maxLength={NAME_MAX}
        value={fields.name}
        onChange={({ currentTarget }) => setFields({ ...fields, name: currentTarget.value })}
      />
      <Textarea
        label={t.description}
        rows={4}
        maxLength={DESCRIPTION_MAX}
        value={fields.description}
        onChange={({ currentTarget }) => setFields({ ...fields, description: currentTarget.value })}
      />
    </ConfirmDialog>
  )
}

function useProductForm(opened: boolean, product: EditedProduct | null) {
  const call = useCall()
  const go = useGo()
  const invalidate = useInvalidate()
  const [fields, setFields] = useState({ name: '', description: '', version: '' })
  const [isChanged, setChanged] = useState(false)
  const show = (shown: EditedProduct | null) =>
    setFields({ name: shown?.name ?? '', description: shown?.description ?? '', version: shown?.version ?? '' })
  // What is being typed stays when the page is read again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: filled when it opens
  useEffect(() => {
    if (!opened) return
    show(product)
    setChanged(false)
  }, [opened])

  async function save() {
    const { name, version } = fields
    const description = fields.description === '' ? null : fields.description
    if (product === null) {
      const body = { name, ...(description !== null && { description }) }
      const made = await call('POST /products', { body })
      await invalidate('GET /products')
      return go(`products/${made.id}`)
    }
    try {
      await call('PATCH /products/{id}', { params: { id: product.id }, body: { name, description, version } })
    } catch (error) {
      if (error instanceof CallError && error.code === 'conflict') {
        show(error.extra.current as EditedProduct)
        setChanged(true)
      }
      throw error
    }
    await invalidate('GET /products/{id}', 'GET /products')
  }
  return { fields, setFields, isChanged, save }
}
