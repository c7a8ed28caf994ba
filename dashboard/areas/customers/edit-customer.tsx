import { Alert, Button } from '@mantine/core'
import { useState } from 'react'
import type { CustomerDetail } from '../../../contract/dashboard/customers-api.ts'
import { CallError, useCall } from '../../kit/call.ts'
import { ConfirmDialog, useUndo } from '../../kit/dialog.tsx'
import { FormProblems } from '../../kit/form.tsx'
import { useInvalidate } from '../../kit/read.ts'
import { fill, useTexts } from '../../kit/texts.ts'
import { type CustomerDraft, CustomerFields, draftOf, metadataOf, rebased } from './customer-fields.tsx'
import { CUSTOMER_TEXTS } from './texts/texts.ts'

type Editable = Pick<CustomerDetail, 'name' | 'email' | 'phone' | 'metadata' | 'version'>

/** Edits what a person may change in a customer. The change takes effect at once, and can be undone. */
export function EditCustomer({ customer }: { customer: CustomerDetail }) {
  const t = useTexts(CUSTOMER_TEXTS)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t.edit}
      </Button>
      {isOpen && <EditDialog customer={customer} onClose={() => setOpen(false)} />}
    </>
  )
}

function EditDialog({ customer, onClose }: { customer: CustomerDetail; onClose(): void }) {
  const t = useTexts(CUSTOMER_TEXTS)
  const [draft, setDraft] = useState(() => draftOf(customer))
  /** The version that the edit starts from; a newer one after a conflict. */
  const [base, setBase] = useState<Editable>(customer)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const save = useSave(customer)
  async function confirm() {
    setErrors({})
    try {
      await save(base, draft)
    } catch (error) {
      const current = error instanceof CallError ? error.extra.current : null
      if (isEditable(current)) {
        setDraft(rebased(draft, base, current))
        setBase(current)
      } else if (error instanceof CallError) setErrors(error.errors)
      throw error
    }
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.editTitle}
      verb={t.save}
      onConfirm={confirm}
      refusalOf={(error) => <EditRefusal error={error} />}
    >
      <CustomerFields draft={draft} onChange={setDraft} errors={errors} marks={useMarks(customer, base)} />
    </ConfirmDialog>
  )
}

const isEditable = (current: unknown): current is Editable =>
  typeof current === 'object' && current !== null && 'version' in current

function EditRefusal({ error }: { error: CallError }) {
  const t = useTexts(CUSTOMER_TEXTS)
  if (isEditable(error.extra.current))
    return <Alert color="yellow" variant="outline" title={t.changedMeanwhile} role="alert" />
  return <FormProblems error={error} labels={{ name: t.name, email: t.email, phone: t.phone, metadata: t.metadata }} />
}

/** Returns the changes that somebody else has made since this dialog opened. */
function useMarks(before: Editable, now: Editable) {
  const t = useTexts(CUSTOMER_TEXTS)
  const mark = (field: 'name' | 'email' | 'phone' | 'metadata') => {
    const [then, value] = [JSON.stringify(before[field]), JSON.stringify(now[field])]
    if (then === value) return {}
    const text = field === 'metadata' ? value : now[field]
    return { [field]: text === null ? t.nowEmpty : fill(t.nowIs, { value: String(text) }) }
  }
  return { ...mark('name'), ...mark('email'), ...mark('phone'), ...mark('metadata') }
}

function useSave({ id }: CustomerDetail) {
  const t = useTexts(CUSTOMER_TEXTS)
  const [call, invalidate, showUndo] = [useCall(), useInvalidate(), useUndo()]
  const refresh = () => invalidate('GET /customers/{id}', 'GET /customers/{id}/history', 'GET /customers')
  return async (base: Editable, draft: CustomerDraft) => {
    const text = (typed: string) => (typed.trim() === '' ? null : typed.trim())
    const change = {
      name: text(draft.name),
      email: text(draft.email),
      phone: text(draft.phone),
      metadata: metadataOf(draft.metadata, base.metadata),
    }
    const edit = (body: typeof change & { version: string }) => call('PATCH /customers/{id}', { params: { id }, body })
    const { version } = await edit({ ...change, version: base.version })
    await refresh()
    const { name, email, phone, metadata } = base
    showUndo(t.saved, async () => {
      await edit({ name, email, phone, metadata, version })
      await refresh()
    })
  }
}
