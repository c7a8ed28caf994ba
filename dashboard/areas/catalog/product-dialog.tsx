import { Textarea, TextInput } from '@mantine/core'
import type { EditedProduct } from '../../../contract/dashboard/catalog-api.ts'
import { useCall } from '../../kit/call.ts'
import { ConfirmDialog } from '../../kit/dialog.tsx'
import { currentOf, useEdited } from '../../kit/edited.ts'
import { useGo } from '../../kit/links.tsx'
import { Meanwhile } from '../../kit/meanwhile.tsx'
import { useInvalidate } from '../../kit/read.ts'
import { useTexts } from '../../kit/texts.ts'
import { TEXTS } from './texts/texts.ts'

interface ProductDialogProps {
  onClose(): void
  /** `null` for a new product. */
  product: EditedProduct | null
}

const NAME_MAX = 255
const DESCRIPTION_MAX = 2_000

type Described = Pick<EditedProduct, 'name' | 'description' | 'version'>
const NEW: Described = { name: '', description: null, version: '' }
const draftOf = ({ name, description }: Described) => ({ name, description: description ?? '' })

/** Creates a product, or edits its name and description. */
export function ProductDialog({ onClose, product }: ProductDialogProps) {
  const t = useTexts(TEXTS)
  const { base, draft, setDraft, changed, save } = useProductForm(product)
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={product ? t.editProduct : t.newProduct}
      verb={product ? t.save : t.createProduct}
      disabled={draft.name.trim() === ''}
      onConfirm={save}
      refusalOf={(error) => (currentOf(error) ? '' : null)}
    >
      <Meanwhile changes={changed?.map((name) => [t[name], draftOf(base)[name]])} />
      <TextInput
        label={t.name}
        required
        data-autofocus
        maxLength={NAME_MAX}
        value={draft.name}
        onChange={({ currentTarget }) => setDraft({ ...draft, name: currentTarget.value })}
      />
      <Textarea
        label={t.description}
        rows={4}
        maxLength={DESCRIPTION_MAX}
        value={draft.description}
        onChange={({ currentTarget }) => setDraft({ ...draft, description: currentTarget.value })}
      />
    </ConfirmDialog>
  )
}

function useProductForm(product: EditedProduct | null) {
  const [call, go, invalidate] = [useCall(), useGo(), useInvalidate()]
  const { base, draft, setDraft, changed, commit } = useEdited<Described, ReturnType<typeof draftOf>>(
    product ?? NEW,
    draftOf,
  )
  const { name } = draft
  const description = draft.description === '' ? null : draft.description
  async function create() {
    const made = await call('POST /products', { body: { name, ...(description !== null && { description }) } })
    await invalidate('GET /products')
    await go(`products/${made.id}`)
  }
  async function edit(id: string) {
    const body = { name, description, version: base.version }
    try {
      await commit(() => call('PATCH /products/{id}', { params: { id }, body }))
    } finally {
      await invalidate('GET /products/{id}', 'GET /products')
    }
  }
  return { base, draft, setDraft, changed, save: () => (product ? edit(product.id) : create()) }
}
